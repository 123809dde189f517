#include <vector>
#include "shapes.hpp"

namespace geo::plane { //= class/namespace geo.plane

/// A shape.
template <typename T>
class Shape : public Base<T>, private detail::Hidden { //= class geo.plane.Shape
 public:
  explicit Shape(int sides) : sides_(sides) {} //= method/constructor geo.plane.Shape.Shape
  virtual ~Shape() {} //= method/destructor geo.plane.Shape.~Shape
  virtual double area(int unit) const = 0; //= method geo.plane.Shape.area
  int sides() const { return sides_; } //= method geo.plane.Shape.sides
  bool operator==(const Shape &other) const { return true; } //= method geo.plane.Shape.operator==
  operator bool() const { return true; } //= method geo.plane.Shape.operator bool
  void declared(int a);
  Shape(const Shape &) = delete; //= method/constructor geo.plane.Shape.Shape#2
  enum class Kind { Round, Flat }; //= class/enum geo.plane.Shape.Kind
  struct Part { //= class/struct geo.plane.Shape.Part
    int n;
    void reset(); 
  };

 private:
  int sides_;
};

template <typename T>
void Shape<T>::declared(int a) { //= method geo.plane.Shape.declared
  if (a && sides_) run(a);
}

template <typename T>
void Shape<T>::Part::reset() { n = 0; } //= method geo.plane.Shape.Part.reset

static int helper(std::vector<int> &v) { return v.size(); } //= function geo.plane.helper

namespace { //
int hidden() { return 1; } //= function geo.plane.hidden
}

}  // namespace geo::plane

int *other::Far::away(int n) noexcept { //= method other.Far.away
  auto f = [](int x) { return x; };
  return nullptr;
}

extern "C" {
void plain(void) {} //= function plain
}

int main(int argc, char **argv) { return 0; } //= function main
