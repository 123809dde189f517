package java.lang.reflect;
class AccessibleObject implements java.lang.reflect.AnnotatedElement {
 AccessibleObject() {}
 native boolean isAccessible();
 native boolean isAnnotationPresent(java.lang.Class<? extends java.lang.annotation.Annotation> p0);
 native final boolean canAccess(java.lang.Object p0);
 native final boolean trySetAccessible();
 native <T extends java.lang.annotation.Annotation> T getAnnotation(java.lang.Class<T> p0);
 native <T extends java.lang.annotation.Annotation> T getDeclaredAnnotation(java.lang.Class<T> p0);
 native java.lang.annotation.Annotation[] getAnnotations();
 native <T extends java.lang.annotation.Annotation> T[] getAnnotationsByType(java.lang.Class<T> p0);
 native java.lang.annotation.Annotation[] getDeclaredAnnotations();
 native <T extends java.lang.annotation.Annotation> T[] getDeclaredAnnotationsByType(java.lang.Class<T> p0);
 static native void setAccessible(java.lang.reflect.AccessibleObject[] p0, boolean p1);
 native void setAccessible(boolean p0);
}
interface AnnotatedArrayType extends java.lang.reflect.AnnotatedType {
 java.lang.reflect.AnnotatedType getAnnotatedGenericComponentType();
 java.lang.reflect.AnnotatedType getAnnotatedOwnerType();
}
interface AnnotatedElement {
 <T extends java.lang.annotation.Annotation> T getAnnotation(java.lang.Class<T> p0);
 java.lang.annotation.Annotation[] getAnnotations();
 java.lang.annotation.Annotation[] getDeclaredAnnotations();
 default boolean isAnnotationPresent(java.lang.Class<? extends java.lang.annotation.Annotation> p0) {}
 default <T extends java.lang.annotation.Annotation> T getDeclaredAnnotation(java.lang.Class<T> p0) {}
 default <T extends java.lang.annotation.Annotation> T[] getAnnotationsByType(java.lang.Class<T> p0) {}
 default <T extends java.lang.annotation.Annotation> T[] getDeclaredAnnotationsByType(java.lang.Class<T> p0) {}
}
interface AnnotatedParameterizedType extends java.lang.reflect.AnnotatedType {
 java.lang.reflect.AnnotatedType getAnnotatedOwnerType();
 java.lang.reflect.AnnotatedType[] getAnnotatedActualTypeArguments();
}
interface AnnotatedType extends java.lang.reflect.AnnotatedElement {
 <T extends java.lang.annotation.Annotation> T getAnnotation(java.lang.Class<T> p0);
 java.lang.annotation.Annotation[] getAnnotations();
 java.lang.annotation.Annotation[] getDeclaredAnnotations();
 java.lang.reflect.Type getType();
 default java.lang.reflect.AnnotatedType getAnnotatedOwnerType() {}
}
interface AnnotatedTypeVariable extends java.lang.reflect.AnnotatedType {
 java.lang.reflect.AnnotatedType getAnnotatedOwnerType();
 java.lang.reflect.AnnotatedType[] getAnnotatedBounds();
}
interface AnnotatedWildcardType extends java.lang.reflect.AnnotatedType {
 java.lang.reflect.AnnotatedType getAnnotatedOwnerType();
 java.lang.reflect.AnnotatedType[] getAnnotatedLowerBounds();
 java.lang.reflect.AnnotatedType[] getAnnotatedUpperBounds();
}
class Array {
 static native java.lang.Object newInstance(java.lang.Class<?> p0, int p1);
 static native java.lang.Object newInstance(java.lang.Class<?> p0, int... p1);
 static native boolean getBoolean(java.lang.Object p0, int p1);
 static native byte getByte(java.lang.Object p0, int p1);
 static native char getChar(java.lang.Object p0, int p1);
 static native double getDouble(java.lang.Object p0, int p1);
 static native float getFloat(java.lang.Object p0, int p1);
 static native int getInt(java.lang.Object p0, int p1);
 static native int getLength(java.lang.Object p0);
 static native java.lang.Object get(java.lang.Object p0, int p1);
 static native long getLong(java.lang.Object p0, int p1);
 static native short getShort(java.lang.Object p0, int p1);
 static native void set(java.lang.Object p0, int p1, java.lang.Object p2);
 static native void setBoolean(java.lang.Object p0, int p1, boolean p2);
 static native void setByte(java.lang.Object p0, int p1, byte p2);
 static native void setChar(java.lang.Object p0, int p1, char p2);
 static native void setDouble(java.lang.Object p0, int p1, double p2);
 static native void setFloat(java.lang.Object p0, int p1, float p2);
 static native void setInt(java.lang.Object p0, int p1, int p2);
 static native void setLong(java.lang.Object p0, int p1, long p2);
 static native void setShort(java.lang.Object p0, int p1, short p2);
}
class Constructor<T>  extends java.lang.reflect.Executable {
 native boolean equals(java.lang.Object p0);
 native boolean isSynthetic();
 native boolean isVarArgs();
 native int getModifiers();
 native int getParameterCount();
 native int hashCode();
 native java.lang.Class<T> getDeclaringClass();
 native java.lang.Class<?>[] getExceptionTypes();
 native java.lang.Class<?>[] getParameterTypes();
 native T newInstance(java.lang.Object... p0);
 native java.lang.String getName();
 native java.lang.String toGenericString();
 native java.lang.String toString();
 native <T extends java.lang.annotation.Annotation> T getAnnotation(java.lang.Class<T> p0);
 native java.lang.annotation.Annotation[] getDeclaredAnnotations();
 native java.lang.annotation.Annotation[][] getParameterAnnotations();
 native java.lang.reflect.AnnotatedType getAnnotatedReceiverType();
 native java.lang.reflect.AnnotatedType getAnnotatedReturnType();
 native java.lang.reflect.TypeVariable<java.lang.reflect.Constructor<T>>[] getTypeParameters();
 native java.lang.reflect.Type[] getGenericExceptionTypes();
 native java.lang.reflect.Type[] getGenericParameterTypes();
 native void setAccessible(boolean p0);
}
abstract class Executable extends java.lang.reflect.AccessibleObject implements java.lang.reflect.Member, java.lang.reflect.GenericDeclaration {
 abstract int getModifiers();
 abstract java.lang.Class<?> getDeclaringClass();
 abstract java.lang.Class<?>[] getExceptionTypes();
 abstract java.lang.Class<?>[] getParameterTypes();
 abstract java.lang.String getName();
 abstract java.lang.String toGenericString();
 abstract java.lang.annotation.Annotation[][] getParameterAnnotations();
 abstract java.lang.reflect.AnnotatedType getAnnotatedReturnType();
 abstract java.lang.reflect.TypeVariable<?>[] getTypeParameters();
 native boolean isSynthetic();
 native boolean isVarArgs();
 native int getParameterCount();
 native <T extends java.lang.annotation.Annotation> T getAnnotation(java.lang.Class<T> p0);
 native <T extends java.lang.annotation.Annotation> T[] getAnnotationsByType(java.lang.Class<T> p0);
 native java.lang.annotation.Annotation[] getDeclaredAnnotations();
 native java.lang.reflect.AnnotatedType getAnnotatedReceiverType();
 native java.lang.reflect.AnnotatedType[] getAnnotatedExceptionTypes();
 native java.lang.reflect.AnnotatedType[] getAnnotatedParameterTypes();
 native java.lang.reflect.Parameter[] getParameters();
 native java.lang.reflect.Type[] getGenericExceptionTypes();
 native java.lang.reflect.Type[] getGenericParameterTypes();
}
class Field extends java.lang.reflect.AccessibleObject implements java.lang.reflect.Member {
 native boolean equals(java.lang.Object p0);
 native boolean getBoolean(java.lang.Object p0);
 native boolean isEnumConstant();
 native boolean isSynthetic();
 native byte getByte(java.lang.Object p0);
 native char getChar(java.lang.Object p0);
 native double getDouble(java.lang.Object p0);
 native float getFloat(java.lang.Object p0);
 native int getInt(java.lang.Object p0);
 native int getModifiers();
 native int hashCode();
 native java.lang.Class<?> getDeclaringClass();
 native java.lang.Class<?> getType();
 native java.lang.Object get(java.lang.Object p0);
 native java.lang.String getName();
 native java.lang.String toGenericString();
 native java.lang.String toString();
 native <T extends java.lang.annotation.Annotation> T getAnnotation(java.lang.Class<T> p0);
 native <T extends java.lang.annotation.Annotation> T[] getAnnotationsByType(java.lang.Class<T> p0);
 native java.lang.annotation.Annotation[] getDeclaredAnnotations();
 native java.lang.reflect.AnnotatedType getAnnotatedType();
 native java.lang.reflect.Type getGenericType();
 native long getLong(java.lang.Object p0);
 native short getShort(java.lang.Object p0);
 native void set(java.lang.Object p0, java.lang.Object p1);
 native void setAccessible(boolean p0);
 native void setBoolean(java.lang.Object p0, boolean p1);
 native void setByte(java.lang.Object p0, byte p1);
 native void setChar(java.lang.Object p0, char p1);
 native void setDouble(java.lang.Object p0, double p1);
 native void setFloat(java.lang.Object p0, float p1);
 native void setInt(java.lang.Object p0, int p1);
 native void setLong(java.lang.Object p0, long p1);
 native void setShort(java.lang.Object p0, short p1);
}
interface GenericArrayType extends java.lang.reflect.Type {
 java.lang.reflect.Type getGenericComponentType();
}
interface GenericDeclaration extends java.lang.reflect.AnnotatedElement {
 java.lang.reflect.TypeVariable<?>[] getTypeParameters();
}
class GenericSignatureFormatError extends java.lang.ClassFormatError {
 GenericSignatureFormatError() {}
 GenericSignatureFormatError(java.lang.String p0) {}
}
class InaccessibleObjectException extends java.lang.RuntimeException {
 InaccessibleObjectException() {}
 InaccessibleObjectException(java.lang.String p0) {}
}
interface InvocationHandler {
 java.lang.Object invoke(java.lang.Object p0, java.lang.reflect.Method p1, java.lang.Object[] p2);
 static java.lang.Object invokeDefault(java.lang.Object p0, java.lang.reflect.Method p1, java.lang.Object... p2) {}
}
class InvocationTargetException extends java.lang.ReflectiveOperationException {
 InvocationTargetException() {}
 InvocationTargetException(java.lang.Throwable p0) {}
 InvocationTargetException(java.lang.Throwable p0, java.lang.String p1) {}
 native java.lang.Throwable getCause();
 native java.lang.Throwable getTargetException();
}
class MalformedParameterizedTypeException extends java.lang.RuntimeException {
 MalformedParameterizedTypeException() {}
 MalformedParameterizedTypeException(java.lang.String p0) {}
}
class MalformedParametersException extends java.lang.RuntimeException {
 MalformedParametersException() {}
 MalformedParametersException(java.lang.String p0) {}
}
interface Member {
 static int DECLARED;
 static int PUBLIC;
 boolean isSynthetic();
 int getModifiers();
 java.lang.Class<?> getDeclaringClass();
 java.lang.String getName();
}
class Method extends java.lang.reflect.Executable {
 native boolean equals(java.lang.Object p0);
 native boolean isBridge();
 native boolean isDefault();
 native boolean isSynthetic();
 native boolean isVarArgs();
 native int getModifiers();
 native int getParameterCount();
 native int hashCode();
 native java.lang.Class<?> getDeclaringClass();
 native java.lang.Class<?> getReturnType();
 native java.lang.Class<?>[] getExceptionTypes();
 native java.lang.Class<?>[] getParameterTypes();
 native java.lang.Object getDefaultValue();
 native java.lang.Object invoke(java.lang.Object p0, java.lang.Object... p1);
 native java.lang.String getName();
 native java.lang.String toGenericString();
 native java.lang.String toString();
 native <T extends java.lang.annotation.Annotation> T getAnnotation(java.lang.Class<T> p0);
 native java.lang.annotation.Annotation[] getDeclaredAnnotations();
 native java.lang.annotation.Annotation[][] getParameterAnnotations();
 native java.lang.reflect.AnnotatedType getAnnotatedReturnType();
 native java.lang.reflect.Type getGenericReturnType();
 native java.lang.reflect.TypeVariable<java.lang.reflect.Method>[] getTypeParameters();
 native java.lang.reflect.Type[] getGenericExceptionTypes();
 native java.lang.reflect.Type[] getGenericParameterTypes();
 native void setAccessible(boolean p0);
}
class Modifier {
 static int ABSTRACT;
 static int FINAL;
 static int INTERFACE;
 static int NATIVE;
 static int PRIVATE;
 static int PROTECTED;
 static int PUBLIC;
 static int STATIC;
 static int STRICT;
 static int SYNCHRONIZED;
 static int TRANSIENT;
 static int VOLATILE;
 static native boolean isAbstract(int p0);
 static native boolean isFinal(int p0);
 static native boolean isInterface(int p0);
 static native boolean isNative(int p0);
 static native boolean isPrivate(int p0);
 static native boolean isProtected(int p0);
 static native boolean isPublic(int p0);
 static native boolean isStatic(int p0);
 static native boolean isStrict(int p0);
 static native boolean isSynchronized(int p0);
 static native boolean isTransient(int p0);
 static native boolean isVolatile(int p0);
 static native int classModifiers();
 static native int constructorModifiers();
 static native int fieldModifiers();
 static native int interfaceModifiers();
 static native int methodModifiers();
 static native int parameterModifiers();
 static native java.lang.String toString(int p0);
}
class Parameter implements java.lang.reflect.AnnotatedElement {
 native boolean equals(java.lang.Object p0);
 native boolean isImplicit();
 native boolean isNamePresent();
 native boolean isSynthetic();
 native boolean isVarArgs();
 native int getModifiers();
 native int hashCode();
 native java.lang.Class<?> getType();
 native java.lang.String getName();
 native java.lang.String toString();
 native <T extends java.lang.annotation.Annotation> T getAnnotation(java.lang.Class<T> p0);
 native <T extends java.lang.annotation.Annotation> T getDeclaredAnnotation(java.lang.Class<T> p0);
 native java.lang.annotation.Annotation[] getAnnotations();
 native <T extends java.lang.annotation.Annotation> T[] getAnnotationsByType(java.lang.Class<T> p0);
 native java.lang.annotation.Annotation[] getDeclaredAnnotations();
 native <T extends java.lang.annotation.Annotation> T[] getDeclaredAnnotationsByType(java.lang.Class<T> p0);
 native java.lang.reflect.AnnotatedType getAnnotatedType();
 native java.lang.reflect.Executable getDeclaringExecutable();
 native java.lang.reflect.Type getParameterizedType();
}
interface ParameterizedType extends java.lang.reflect.Type {
 java.lang.reflect.Type getOwnerType();
 java.lang.reflect.Type getRawType();
 java.lang.reflect.Type[] getActualTypeArguments();
}
class Proxy implements java.io.Serializable {
 java.lang.reflect.InvocationHandler h;
 Proxy(java.lang.reflect.InvocationHandler p0) {}
 static native boolean isProxyClass(java.lang.Class<?> p0);
 static native java.lang.Class<?> getProxyClass(java.lang.ClassLoader p0, java.lang.Class<?>... p1);
 static native java.lang.Object newProxyInstance(java.lang.ClassLoader p0, java.lang.Class<?>[] p1, java.lang.reflect.InvocationHandler p2);
 static native java.lang.reflect.InvocationHandler getInvocationHandler(java.lang.Object p0);
}
class RecordComponent implements java.lang.reflect.AnnotatedElement {
 native java.lang.Class<?> getDeclaringRecord();
 native java.lang.Class<?> getType();
 native java.lang.String getGenericSignature();
 native java.lang.String getName();
 native java.lang.String toString();
 native <T extends java.lang.annotation.Annotation> T getAnnotation(java.lang.Class<T> p0);
 native java.lang.annotation.Annotation[] getAnnotations();
 native java.lang.annotation.Annotation[] getDeclaredAnnotations();
 native java.lang.reflect.AnnotatedType getAnnotatedType();
 native java.lang.reflect.Method getAccessor();
 native java.lang.reflect.Type getGenericType();
}
class ReflectPermission extends java.security.BasicPermission {
 ReflectPermission(java.lang.String p0) {}
 ReflectPermission(java.lang.String p0, java.lang.String p1) {}
}
interface Type {
 default java.lang.String getTypeName() {}
}
interface TypeVariable<D extends java.lang.reflect.GenericDeclaration>  extends java.lang.reflect.Type, java.lang.reflect.AnnotatedElement {
 java.lang.String getName();
 java.lang.reflect.AnnotatedType[] getAnnotatedBounds();
 D getGenericDeclaration();
 java.lang.reflect.Type[] getBounds();
}
class UndeclaredThrowableException extends java.lang.RuntimeException {
 UndeclaredThrowableException(java.lang.Throwable p0) {}
 UndeclaredThrowableException(java.lang.Throwable p0, java.lang.String p1) {}
 native java.lang.Throwable getUndeclaredThrowable();
}
interface WildcardType extends java.lang.reflect.Type {
 java.lang.reflect.Type[] getLowerBounds();
 java.lang.reflect.Type[] getUpperBounds();
}
