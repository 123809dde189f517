import java.util.*;
class RawTypes {
    void run(List raw, Map.Entry<String, List<String>> entry) {
        raw.get(0).toString();
        // ^ calls: java.lang.Object.toString, java.util.List.get
        ((String) raw.get(0)).trim();
        // ^ calls: java.lang.String.trim, java.util.List.get
        entry.getValue().get(0).trim();
        // ^ calls: java.lang.String.trim, java.util.List.get, java.util.Map.Entry.getValue
    }
}
