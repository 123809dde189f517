#include <memory>
#include <string>
#include <vector>

namespace shop {
class Item {
 public:
  explicit Item(int price) : price_(price) {}
  virtual ~Item() {}
  virtual int price() const { return price_; }
  Item *self() { return this; }
  static Item *make(int price) { return new Item(price); }
  // ^ calls: classes.cpp.shop.Item.Item
 private:
  int price_;
};

class Sale : public Item {
 public:
  Sale(int price, int cut) : Item(price), cut_(cut) {}
  // ^ calls: classes.cpp.shop.Item.Item
  int price() const override { return Item::price() - cut_; }
  // ^ calls: classes.cpp.shop.Item.price
  int twice() { return price() + price(); }
  // ^ calls: classes.cpp.shop.Sale.price
 private:
  int cut_;
};

struct Shape { virtual int area(int unit) = 0; };
struct Square : Shape { int area(int unit) override { return unit; } };

int count(int one) { return one; }
int count(int one, int two) { return count(one) + two; }
// ^ calls: classes.cpp.shop.count
int count(const std::string &text) { return 0; }

class Cart {
 public:
  void add(std::unique_ptr<Item> item);
  int total(Shape *shape);
 private:
  std::vector<std::unique_ptr<Item>> items_;
  Item first_{1};
};

template <typename T>
int ask(T one) { return one.price(); }
// ^ unresolved: unknown receiver
}  // namespace shop

using namespace shop;

void shop::Cart::add(std::unique_ptr<Item> item) {
  item->self()->price();
  // ^ calls: classes.cpp.shop.Item.self, classes.cpp.shop.Item.price
  items_[0]->price();
  // ^ calls: classes.cpp.shop.Item.price
  for (auto &one : items_) one->self();
  // ^ calls: classes.cpp.shop.Item.self
  for (std::vector<std::unique_ptr<Item>>::iterator i = items_.begin(); i != items_.end(); ++i) (*i)->price();
  // ^ calls: classes.cpp.shop.Item.price
  auto made = std::make_unique<Sale>(1, 2);
  // ^ calls: classes.cpp.shop.Sale.Sale
  made->twice();
  // ^ calls: classes.cpp.shop.Sale.twice
  first_.price();
  // ^ calls: classes.cpp.shop.Item.price
}

int shop::Cart::total(Shape *shape) {
  auto each = [&](Item &one) { return one.price(); };
  // ^ calls: classes.cpp.shop.Item.price
  Sale sale(1, 2);
  // ^ calls: classes.cpp.shop.Sale.Sale
  if (Item *one = Item::make(1)) one->price();
  // ^ calls: classes.cpp.shop.Item.make, classes.cpp.shop.Item.price
  return shape->area(1) + count(1, 2) + ::shop::count("a");
  // ^ calls: classes.cpp.shop.Shape.area, classes.cpp.shop.Square.area, classes.cpp.shop.count#2, classes.cpp.shop.count, classes.cpp.shop.count#3
}
