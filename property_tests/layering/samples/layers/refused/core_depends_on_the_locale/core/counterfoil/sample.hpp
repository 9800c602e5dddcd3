#pragma once

// refused: sample.hpp:4:.* it depends on the locale
inline const std::locale& locale_of_texts();
