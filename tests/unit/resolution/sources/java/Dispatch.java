class Dispatch {
    interface Shape { double area(); }
    static class Circle implements Shape { public double area() { return 1; } }
    static class Square implements Shape { public double area() { return 2; } }
    static class Never implements Shape { public double area() { return 3; } }
    void run(Shape any) {
        any.area();
        // ^ calls: Dispatch.Dispatch.Circle.area, Dispatch.Dispatch.Shape.area, Dispatch.Dispatch.Square.area
        Shape circle = new Circle();
        // ^ calls: Dispatch.Dispatch.Circle
        circle.area();
        // ^ calls: Dispatch.Dispatch.Circle.area, Dispatch.Dispatch.Shape.area
        new Square().area();
        // ^ calls: Dispatch.Dispatch.Square, Dispatch.Dispatch.Square.area
    }
}
