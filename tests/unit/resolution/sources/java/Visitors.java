class Visitors {
    interface Visitor<R> { R leaf(Leaf one); R branch(Branch one); }
    interface Tree { <R> R accept(Visitor<R> visitor); }
    static class Leaf implements Tree { public <R> R accept(Visitor<R> visitor) { return visitor.leaf(this); } }
    // ^ calls: Visitors.Visitors.Names.leaf, Visitors.Visitors.Visitor.leaf
    static class Branch implements Tree {
        Tree left;
        public <R> R accept(Visitor<R> visitor) { return visitor.branch(this); }
        // ^ calls: Visitors.Visitors.Names.branch, Visitors.Visitors.Visitor.branch
    }
    static class Names implements Visitor<String> {
        public String leaf(Leaf one) { return ""; }
        public String branch(Branch one) { return one.left.accept(this).trim(); }
        // ^ calls: Visitors.Visitors.Branch.accept, Visitors.Visitors.Leaf.accept, Visitors.Visitors.Tree.accept, java.lang.String.trim
    }
    void run(Tree tree) { tree.accept(new Names()).trim(); new Leaf(); new Branch(); }
    // ^ calls: Visitors.Visitors.Branch, Visitors.Visitors.Branch.accept, Visitors.Visitors.Leaf, Visitors.Visitors.Leaf.accept, Visitors.Visitors.Names, Visitors.Visitors.Tree.accept, java.lang.String.trim
}
