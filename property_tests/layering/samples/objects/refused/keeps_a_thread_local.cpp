// refused: may not keep (TLS wrapper function for )?counterfoil::depth$
namespace counterfoil {

thread_local int depth = 0;

int deeper() {
    return ++depth;
}

}  // namespace counterfoil
