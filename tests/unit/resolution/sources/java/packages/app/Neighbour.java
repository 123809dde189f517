package app;
class Neighbour {
    void greet() { new Main().run(); }
    // ^ calls: app.Main, app.Main.run
}
