using System;
using Json = Newtonsoft.Json;
using static System.Math;

namespace Shop.Orders { //= class/namespace Shop.Orders

    /// <summary>
    /// An order.
    /// </summary>
    [Serializable, Table("orders")]
    public abstract partial class Order<T> : Entity, IPriced where T : new() { //= class Shop.Orders.Order
        public Order(int id) : base(id) { } //= method/constructor Shop.Orders.Order.Order
        ~Order() { } //= method/destructor Shop.Orders.Order.~Order

        /// <summary>Saves it.</summary>
        [Test]
        public async Task<int> Save(string to, int times = 1) { //= method Shop.Orders.Order.Save
            if (times > 0) { Write(to); }
            int Again(int n) { return n; } //= function Shop.Orders.Order.Save.Again
            return Again(1);
        }
        public abstract decimal Price(); //= method Shop.Orders.Order.Price
        public int Plain { get; set; }
        public int Computed { get { return 1; } } //= method/property Shop.Orders.Order.Computed
        public int Arrow => 2; //= method/property Shop.Orders.Order.Arrow
        public static Order<T> operator +(Order<T> a, Order<T> b) { return a; } //= method Shop.Orders.Order.operator+
        public T this[int at] { get { return default; } } //= method/property Shop.Orders.Order.this[]
        enum State { New, Done } //= class/enum Shop.Orders.Order.State
        delegate void Changed(int id); //= class/delegate Shop.Orders.Order.Changed
    }

    interface IPriced { decimal Price(); } //= class/interface Shop.Orders.IPriced; method Shop.Orders.IPriced.Price
    struct Point { int x; } //= class/struct Shop.Orders.Point
    record Person(string Name); //= class/record Shop.Orders.Person
    record struct Size(int W); //= class/record struct Shop.Orders.Size
}
