// refused: may not keep counterfoil::next\(\)::last$
namespace counterfoil {

int next() {
    static int last = 41;
    return ++last;
}

}  // namespace counterfoil
