package app;
import static holder.Holder.Tool;
import static holder.Holder.Deep;
import static holder.Holder.tool;
class Single {
    void run(Tool tool, Deep deep) {
        tool.use();
        // ^ calls: holder.Holder.Tool.use
        new Tool().use();
        // ^ calls: holder.Holder.Tool, holder.Holder.Tool.use
        Tool.make();
        // ^ calls: holder.Holder.Tool.make
        deep.dive();
        // ^ calls: holder.Base.Deep.dive
        tool();
        // ^ calls: holder.Holder.tool
    }
}
