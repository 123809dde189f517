class LIB_API Plain { public: void draw(); }; //= class Plain
class LIB_API Button : public Plain { //= class Button
 public:
  int size() { return 1; } //= method Button.size
};
class LIB_API Sealed final : public Plain { void close(); }; //= class Sealed
struct LIB_EXPORT Pair { int a; }; //= class/struct Pair
enum class LIB_API Mode : int { On, Off }; //= class/enum Mode
template <class T> class LIB_API Box : public Plain { //= class Box
  void put() {} //= method Box.put
};
class LIB_API Actor : public Plain //= class Actor
{
	GENERATED_BODY()
public:
	virtual void Begin() override;
	void Tick(float d) { n += d; } //= method Actor.Tick
private:
	float n;
};
class LIB(x) WithArguments : public Unknown { }; //= class WithArguments
union LIB_API Word { int i; float f; }; //= class/union Word
class [[nodiscard]] Standard {}; //= class Standard
class __declspec(dllexport) Windows {}; //= class Windows
class alignas(16) Aligned {}; //= class Aligned
LIB_INLINE int Button_size(Button *one) NOEXCEPT { return 1; } //= function Button_size
