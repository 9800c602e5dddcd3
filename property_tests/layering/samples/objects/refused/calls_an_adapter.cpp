// refused: may not call counterfoil::sqlite::find
namespace counterfoil {

namespace sqlite {
int find(int scope);
}

int judge(int scope) {
    return sqlite::find(scope);
}

}  // namespace counterfoil
