// refused: may not keep counterfoil::calls$
namespace counterfoil {

int calls = 0;

int count() {
    return ++calls;
}

}  // namespace counterfoil
