package app;
import static holder.Holder.*;
class Star {
    void run(Deep deep, Part part, Color color, Tool own) {
        deep.dive();
        // ^ calls: holder.Base.Deep.dive
        part.fit();
        // ^ calls: holder.Api.Part.fit
        color.paint();
        // ^ calls: holder.Holder.Color.paint
        Color.RED.paint();
        // ^ calls: holder.Holder.Color.paint
        own.use();
        // ^ calls: app.Tool.use
        tool().use();
        // ^ calls: holder.Holder.tool, holder.Holder.Tool.use
    }
}
