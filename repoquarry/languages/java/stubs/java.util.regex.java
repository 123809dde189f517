package java.util.regex;
interface MatchResult {
 int end();
 int end(int p0);
 int groupCount();
 int start();
 int start(int p0);
 java.lang.String group();
 java.lang.String group(int p0);
}
class Matcher implements java.util.regex.MatchResult {
 native boolean find();
 native boolean find(int p0);
 native boolean hasAnchoringBounds();
 native boolean hasTransparentBounds();
 native boolean hitEnd();
 native boolean lookingAt();
 native boolean matches();
 native boolean requireEnd();
 native int end();
 native int end(int p0);
 native int end(java.lang.String p0);
 native int groupCount();
 native int regionEnd();
 native int regionStart();
 native int start();
 native int start(int p0);
 native int start(java.lang.String p0);
 native java.lang.String group();
 native java.lang.String group(int p0);
 native java.lang.String group(java.lang.String p0);
 native java.lang.String replaceAll(java.lang.String p0);
 native java.lang.String replaceAll(java.util.function.Function<java.util.regex.MatchResult, java.lang.String> p0);
 native java.lang.String replaceFirst(java.lang.String p0);
 native java.lang.String replaceFirst(java.util.function.Function<java.util.regex.MatchResult, java.lang.String> p0);
 native java.lang.String toString();
 native java.lang.StringBuffer appendTail(java.lang.StringBuffer p0);
 native java.lang.StringBuilder appendTail(java.lang.StringBuilder p0);
 native java.util.regex.MatchResult toMatchResult();
 native java.util.regex.Matcher appendReplacement(java.lang.StringBuffer p0, java.lang.String p1);
 native java.util.regex.Matcher appendReplacement(java.lang.StringBuilder p0, java.lang.String p1);
 native java.util.regex.Matcher region(int p0, int p1);
 native java.util.regex.Matcher reset();
 native java.util.regex.Matcher reset(java.lang.CharSequence p0);
 native java.util.regex.Matcher useAnchoringBounds(boolean p0);
 native java.util.regex.Matcher usePattern(java.util.regex.Pattern p0);
 native java.util.regex.Matcher useTransparentBounds(boolean p0);
 native java.util.regex.Pattern pattern();
 native java.util.stream.Stream<java.util.regex.MatchResult> results();
 static native java.lang.String quoteReplacement(java.lang.String p0);
}
class Pattern implements java.io.Serializable {
 static int CANON_EQ;
 static int CASE_INSENSITIVE;
 static int COMMENTS;
 static int DOTALL;
 static int LITERAL;
 static int MULTILINE;
 static int UNICODE_CASE;
 static int UNICODE_CHARACTER_CLASS;
 static int UNIX_LINES;
 native int flags();
 native java.lang.String pattern();
 native java.lang.String toString();
 native java.lang.String[] split(java.lang.CharSequence p0);
 native java.lang.String[] split(java.lang.CharSequence p0, int p1);
 native java.util.function.Predicate<java.lang.String> asMatchPredicate();
 native java.util.function.Predicate<java.lang.String> asPredicate();
 native java.util.regex.Matcher matcher(java.lang.CharSequence p0);
 native java.util.stream.Stream<java.lang.String> splitAsStream(java.lang.CharSequence p0);
 static native boolean matches(java.lang.String p0, java.lang.CharSequence p1);
 static native java.lang.String quote(java.lang.String p0);
 static native java.util.regex.Pattern compile(java.lang.String p0);
 static native java.util.regex.Pattern compile(java.lang.String p0, int p1);
}
class PatternSyntaxException extends java.lang.IllegalArgumentException {
 PatternSyntaxException(java.lang.String p0, java.lang.String p1, int p2) {}
 native int getIndex();
 native java.lang.String getDescription();
 native java.lang.String getMessage();
 native java.lang.String getPattern();
}
