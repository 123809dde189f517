package java.lang.annotation;
interface Annotation {
 boolean equals(java.lang.Object p0);
 int hashCode();
 java.lang.Class<? extends java.lang.annotation.Annotation> annotationType();
 java.lang.String toString();
}
class AnnotationFormatError extends java.lang.Error {
 AnnotationFormatError(java.lang.String p0) {}
 AnnotationFormatError(java.lang.String p0, java.lang.Throwable p1) {}
 AnnotationFormatError(java.lang.Throwable p0) {}
}
class AnnotationTypeMismatchException extends java.lang.RuntimeException {
 AnnotationTypeMismatchException(java.lang.reflect.Method p0, java.lang.String p1) {}
 native java.lang.String foundType();
 native java.lang.reflect.Method element();
}
@interface Documented {
}
enum ElementType {
 TYPE, FIELD, METHOD, PARAMETER, CONSTRUCTOR, LOCAL_VARIABLE, ANNOTATION_TYPE, PACKAGE, TYPE_PARAMETER, TYPE_USE, MODULE, RECORD_COMPONENT;
}
class IncompleteAnnotationException extends java.lang.RuntimeException {
 IncompleteAnnotationException(java.lang.Class<? extends java.lang.annotation.Annotation> p0, java.lang.String p1) {}
 native java.lang.Class<? extends java.lang.annotation.Annotation> annotationType();
 native java.lang.String elementName();
}
@interface Inherited {
}
@interface Native {
}
@interface Repeatable {
 java.lang.Class<? extends java.lang.annotation.Annotation> value();
}
@interface Retention {
 java.lang.annotation.RetentionPolicy value();
}
enum RetentionPolicy {
 SOURCE, CLASS, RUNTIME;
}
@interface Target {
 java.lang.annotation.ElementType[] value();
}
