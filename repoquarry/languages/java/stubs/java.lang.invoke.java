package java.lang.invoke;
abstract class CallSite {
 abstract java.lang.invoke.MethodHandle dynamicInvoker();
 abstract java.lang.invoke.MethodHandle getTarget();
 abstract void setTarget(java.lang.invoke.MethodHandle p0);
 native java.lang.invoke.MethodType type();
}
class ConstantBootstraps {
 static native java.lang.Class<?> primitiveClass(java.lang.invoke.MethodHandles.Lookup p0, java.lang.String p1, java.lang.Class<?> p2);
 static native <E extends java.lang.Enum<E>> E enumConstant(java.lang.invoke.MethodHandles.Lookup p0, java.lang.String p1, java.lang.Class<E> p2);
 static native java.lang.Object explicitCast(java.lang.invoke.MethodHandles.Lookup p0, java.lang.String p1, java.lang.Class<?> p2, java.lang.Object p3);
 static native java.lang.Object getStaticFinal(java.lang.invoke.MethodHandles.Lookup p0, java.lang.String p1, java.lang.Class<?> p2);
 static native java.lang.Object getStaticFinal(java.lang.invoke.MethodHandles.Lookup p0, java.lang.String p1, java.lang.Class<?> p2, java.lang.Class<?> p3);
 static native java.lang.Object invoke(java.lang.invoke.MethodHandles.Lookup p0, java.lang.String p1, java.lang.Class<?> p2, java.lang.invoke.MethodHandle p3, java.lang.Object... p4);
 static native java.lang.Object nullConstant(java.lang.invoke.MethodHandles.Lookup p0, java.lang.String p1, java.lang.Class<?> p2);
 static native java.lang.invoke.VarHandle arrayVarHandle(java.lang.invoke.MethodHandles.Lookup p0, java.lang.String p1, java.lang.Class<java.lang.invoke.VarHandle> p2, java.lang.Class<?> p3);
 static native java.lang.invoke.VarHandle fieldVarHandle(java.lang.invoke.MethodHandles.Lookup p0, java.lang.String p1, java.lang.Class<java.lang.invoke.VarHandle> p2, java.lang.Class<?> p3, java.lang.Class<?> p4);
 static native java.lang.invoke.VarHandle staticFieldVarHandle(java.lang.invoke.MethodHandles.Lookup p0, java.lang.String p1, java.lang.Class<java.lang.invoke.VarHandle> p2, java.lang.Class<?> p3, java.lang.Class<?> p4);
}
class ConstantCallSite extends java.lang.invoke.CallSite {
 ConstantCallSite(java.lang.invoke.MethodType p0, java.lang.invoke.MethodHandle p1) {}
 ConstantCallSite(java.lang.invoke.MethodHandle p0) {}
 native final java.lang.invoke.MethodHandle dynamicInvoker();
 native final java.lang.invoke.MethodHandle getTarget();
 native final void setTarget(java.lang.invoke.MethodHandle p0);
}
class LambdaConversionException extends java.lang.Exception {
 LambdaConversionException() {}
 LambdaConversionException(java.lang.String p0) {}
 LambdaConversionException(java.lang.String p0, java.lang.Throwable p1) {}
 LambdaConversionException(java.lang.String p0, java.lang.Throwable p1, boolean p2, boolean p3) {}
 LambdaConversionException(java.lang.Throwable p0) {}
}
class LambdaMetafactory {
 static int FLAG_BRIDGES;
 static int FLAG_MARKERS;
 static int FLAG_SERIALIZABLE;
 static native java.lang.invoke.CallSite altMetafactory(java.lang.invoke.MethodHandles.Lookup p0, java.lang.String p1, java.lang.invoke.MethodType p2, java.lang.Object... p3);
 static native java.lang.invoke.CallSite metafactory(java.lang.invoke.MethodHandles.Lookup p0, java.lang.String p1, java.lang.invoke.MethodType p2, java.lang.invoke.MethodType p3, java.lang.invoke.MethodHandle p4, java.lang.invoke.MethodType p5);
}
abstract class MethodHandle implements java.lang.constant.Constable {
 native boolean isVarargsCollector();
 native final java.lang.Object invoke(java.lang.Object... p0);
 native final java.lang.Object invokeExact(java.lang.Object... p0);
 native java.lang.Object invokeWithArguments(java.lang.Object... p0);
 native java.lang.Object invokeWithArguments(java.util.List<?> p0);
 native java.lang.String toString();
 native java.lang.invoke.MethodHandle asCollector(int p0, java.lang.Class<?> p1, int p2);
 native java.lang.invoke.MethodHandle asCollector(java.lang.Class<?> p0, int p1);
 native java.lang.invoke.MethodHandle asFixedArity();
 native java.lang.invoke.MethodHandle asSpreader(int p0, java.lang.Class<?> p1, int p2);
 native java.lang.invoke.MethodHandle asSpreader(java.lang.Class<?> p0, int p1);
 native java.lang.invoke.MethodHandle asType(java.lang.invoke.MethodType p0);
 native java.lang.invoke.MethodHandle asVarargsCollector(java.lang.Class<?> p0);
 native java.lang.invoke.MethodHandle bindTo(java.lang.Object p0);
 native java.lang.invoke.MethodHandle withVarargs(boolean p0);
 native java.lang.invoke.MethodType type();
 native java.util.Optional<java.lang.constant.MethodHandleDesc> describeConstable();
}
interface MethodHandleInfo {
 static int REF_getField;
 static int REF_getStatic;
 static int REF_invokeInterface;
 static int REF_invokeSpecial;
 static int REF_invokeStatic;
 static int REF_invokeVirtual;
 static int REF_newInvokeSpecial;
 static int REF_putField;
 static int REF_putStatic;
 int getModifiers();
 int getReferenceKind();
 java.lang.Class<?> getDeclaringClass();
 java.lang.String getName();
 java.lang.invoke.MethodType getMethodType();
 <T extends java.lang.reflect.Member> T reflectAs(java.lang.Class<T> p0, java.lang.invoke.MethodHandles.Lookup p1);
 default boolean isVarArgs() {}
 static java.lang.String referenceKindToString(int p0) {}
 static java.lang.String toString(int p0, java.lang.Class<?> p1, java.lang.String p2, java.lang.invoke.MethodType p3) {}
}
class MethodHandleProxies {
 static native boolean isWrapperInstance(java.lang.Object p0);
 static native java.lang.Class<?> wrapperInstanceType(java.lang.Object p0);
 static native <T> T asInterfaceInstance(java.lang.Class<T> p0, java.lang.invoke.MethodHandle p1);
 static native java.lang.invoke.MethodHandle wrapperInstanceTarget(java.lang.Object p0);
}
class MethodHandles {
 static native <T> T classData(java.lang.invoke.MethodHandles.Lookup p0, java.lang.String p1, java.lang.Class<T> p2);
 static native <T> T classDataAt(java.lang.invoke.MethodHandles.Lookup p0, java.lang.String p1, java.lang.Class<T> p2, int p3);
 static native java.lang.invoke.MethodHandle arrayConstructor(java.lang.Class<?> p0);
 static native java.lang.invoke.MethodHandle arrayElementGetter(java.lang.Class<?> p0);
 static native java.lang.invoke.MethodHandle arrayElementSetter(java.lang.Class<?> p0);
 static native java.lang.invoke.MethodHandle arrayLength(java.lang.Class<?> p0);
 static native java.lang.invoke.MethodHandle catchException(java.lang.invoke.MethodHandle p0, java.lang.Class<? extends java.lang.Throwable> p1, java.lang.invoke.MethodHandle p2);
 static native java.lang.invoke.MethodHandle collectArguments(java.lang.invoke.MethodHandle p0, int p1, java.lang.invoke.MethodHandle p2);
 static native java.lang.invoke.MethodHandle constant(java.lang.Class<?> p0, java.lang.Object p1);
 static native java.lang.invoke.MethodHandle countedLoop(java.lang.invoke.MethodHandle p0, java.lang.invoke.MethodHandle p1, java.lang.invoke.MethodHandle p2);
 static native java.lang.invoke.MethodHandle countedLoop(java.lang.invoke.MethodHandle p0, java.lang.invoke.MethodHandle p1, java.lang.invoke.MethodHandle p2, java.lang.invoke.MethodHandle p3);
 static native java.lang.invoke.MethodHandle doWhileLoop(java.lang.invoke.MethodHandle p0, java.lang.invoke.MethodHandle p1, java.lang.invoke.MethodHandle p2);
 static native java.lang.invoke.MethodHandle dropArguments(java.lang.invoke.MethodHandle p0, int p1, java.lang.Class<?>... p2);
 static native java.lang.invoke.MethodHandle dropArguments(java.lang.invoke.MethodHandle p0, int p1, java.util.List<java.lang.Class<?>> p2);
 static native java.lang.invoke.MethodHandle dropArgumentsToMatch(java.lang.invoke.MethodHandle p0, int p1, java.util.List<java.lang.Class<?>> p2, int p3);
 static native java.lang.invoke.MethodHandle dropReturn(java.lang.invoke.MethodHandle p0);
 static native java.lang.invoke.MethodHandle empty(java.lang.invoke.MethodType p0);
 static native java.lang.invoke.MethodHandle exactInvoker(java.lang.invoke.MethodType p0);
 static native java.lang.invoke.MethodHandle explicitCastArguments(java.lang.invoke.MethodHandle p0, java.lang.invoke.MethodType p1);
 static native java.lang.invoke.MethodHandle filterArguments(java.lang.invoke.MethodHandle p0, int p1, java.lang.invoke.MethodHandle... p2);
 static native java.lang.invoke.MethodHandle filterReturnValue(java.lang.invoke.MethodHandle p0, java.lang.invoke.MethodHandle p1);
 static native java.lang.invoke.MethodHandle foldArguments(java.lang.invoke.MethodHandle p0, int p1, java.lang.invoke.MethodHandle p2);
 static native java.lang.invoke.MethodHandle foldArguments(java.lang.invoke.MethodHandle p0, java.lang.invoke.MethodHandle p1);
 static native java.lang.invoke.MethodHandle guardWithTest(java.lang.invoke.MethodHandle p0, java.lang.invoke.MethodHandle p1, java.lang.invoke.MethodHandle p2);
 static native java.lang.invoke.MethodHandle identity(java.lang.Class<?> p0);
 static native java.lang.invoke.MethodHandle insertArguments(java.lang.invoke.MethodHandle p0, int p1, java.lang.Object... p2);
 static native java.lang.invoke.MethodHandle invoker(java.lang.invoke.MethodType p0);
 static native java.lang.invoke.MethodHandle iteratedLoop(java.lang.invoke.MethodHandle p0, java.lang.invoke.MethodHandle p1, java.lang.invoke.MethodHandle p2);
 static native java.lang.invoke.MethodHandle loop(java.lang.invoke.MethodHandle[]... p0);
 static native java.lang.invoke.MethodHandle permuteArguments(java.lang.invoke.MethodHandle p0, java.lang.invoke.MethodType p1, int... p2);
 static native java.lang.invoke.MethodHandle spreadInvoker(java.lang.invoke.MethodType p0, int p1);
 static native java.lang.invoke.MethodHandle tableSwitch(java.lang.invoke.MethodHandle p0, java.lang.invoke.MethodHandle... p1);
 static native java.lang.invoke.MethodHandle throwException(java.lang.Class<?> p0, java.lang.Class<? extends java.lang.Throwable> p1);
 static native java.lang.invoke.MethodHandle tryFinally(java.lang.invoke.MethodHandle p0, java.lang.invoke.MethodHandle p1);
 static native java.lang.invoke.MethodHandle varHandleExactInvoker(java.lang.invoke.VarHandle.AccessMode p0, java.lang.invoke.MethodType p1);
 static native java.lang.invoke.MethodHandle varHandleInvoker(java.lang.invoke.VarHandle.AccessMode p0, java.lang.invoke.MethodType p1);
 static native java.lang.invoke.MethodHandle whileLoop(java.lang.invoke.MethodHandle p0, java.lang.invoke.MethodHandle p1, java.lang.invoke.MethodHandle p2);
 static native java.lang.invoke.MethodHandle zero(java.lang.Class<?> p0);
 static native java.lang.invoke.MethodHandles.Lookup lookup();
 static native java.lang.invoke.MethodHandles.Lookup privateLookupIn(java.lang.Class<?> p0, java.lang.invoke.MethodHandles.Lookup p1);
 static native java.lang.invoke.MethodHandles.Lookup publicLookup();
 static native java.lang.invoke.VarHandle arrayElementVarHandle(java.lang.Class<?> p0);
 static native java.lang.invoke.VarHandle byteArrayViewVarHandle(java.lang.Class<?> p0, java.nio.ByteOrder p1);
 static native java.lang.invoke.VarHandle byteBufferViewVarHandle(java.lang.Class<?> p0, java.nio.ByteOrder p1);
 static native <T extends java.lang.reflect.Member> T reflectAs(java.lang.Class<T> p0, java.lang.invoke.MethodHandle p1);
 static class Lookup {
  static int MODULE;
  static int ORIGINAL;
  static int PACKAGE;
  static int PRIVATE;
  static int PROTECTED;
  static int PUBLIC;
  static int UNCONDITIONAL;
  native boolean hasFullPrivilegeAccess();
  native boolean hasPrivateAccess();
  native int lookupModes();
  native java.lang.Class<?> accessClass(java.lang.Class<?> p0);
  native java.lang.Class<?> defineClass(byte[] p0);
  native java.lang.Class<?> ensureInitialized(java.lang.Class<?> p0);
  native java.lang.Class<?> findClass(java.lang.String p0);
  native java.lang.Class<?> lookupClass();
  native java.lang.Class<?> previousLookupClass();
  native java.lang.String toString();
  native java.lang.invoke.MethodHandle bind(java.lang.Object p0, java.lang.String p1, java.lang.invoke.MethodType p2);
  native java.lang.invoke.MethodHandle findConstructor(java.lang.Class<?> p0, java.lang.invoke.MethodType p1);
  native java.lang.invoke.MethodHandle findGetter(java.lang.Class<?> p0, java.lang.String p1, java.lang.Class<?> p2);
  native java.lang.invoke.MethodHandle findSetter(java.lang.Class<?> p0, java.lang.String p1, java.lang.Class<?> p2);
  native java.lang.invoke.MethodHandle findSpecial(java.lang.Class<?> p0, java.lang.String p1, java.lang.invoke.MethodType p2, java.lang.Class<?> p3);
  native java.lang.invoke.MethodHandle findStatic(java.lang.Class<?> p0, java.lang.String p1, java.lang.invoke.MethodType p2);
  native java.lang.invoke.MethodHandle findStaticGetter(java.lang.Class<?> p0, java.lang.String p1, java.lang.Class<?> p2);
  native java.lang.invoke.MethodHandle findStaticSetter(java.lang.Class<?> p0, java.lang.String p1, java.lang.Class<?> p2);
  native java.lang.invoke.MethodHandle findVirtual(java.lang.Class<?> p0, java.lang.String p1, java.lang.invoke.MethodType p2);
  native java.lang.invoke.MethodHandle unreflect(java.lang.reflect.Method p0);
  native java.lang.invoke.MethodHandle unreflectConstructor(java.lang.reflect.Constructor<?> p0);
  native java.lang.invoke.MethodHandle unreflectGetter(java.lang.reflect.Field p0);
  native java.lang.invoke.MethodHandle unreflectSetter(java.lang.reflect.Field p0);
  native java.lang.invoke.MethodHandle unreflectSpecial(java.lang.reflect.Method p0, java.lang.Class<?> p1);
  native java.lang.invoke.MethodHandleInfo revealDirect(java.lang.invoke.MethodHandle p0);
  native java.lang.invoke.MethodHandles.Lookup defineHiddenClass(byte[] p0, boolean p1, java.lang.invoke.MethodHandles.Lookup.ClassOption... p2);
  native java.lang.invoke.MethodHandles.Lookup defineHiddenClassWithClassData(byte[] p0, java.lang.Object p1, boolean p2, java.lang.invoke.MethodHandles.Lookup.ClassOption... p3);
  native java.lang.invoke.MethodHandles.Lookup dropLookupMode(int p0);
  native java.lang.invoke.MethodHandles.Lookup in(java.lang.Class<?> p0);
  native java.lang.invoke.VarHandle findStaticVarHandle(java.lang.Class<?> p0, java.lang.String p1, java.lang.Class<?> p2);
  native java.lang.invoke.VarHandle findVarHandle(java.lang.Class<?> p0, java.lang.String p1, java.lang.Class<?> p2);
  native java.lang.invoke.VarHandle unreflectVarHandle(java.lang.reflect.Field p0);
  static enum ClassOption {
   NESTMATE, STRONG;
  }
 }
}
class MethodType implements java.lang.constant.Constable, java.lang.invoke.TypeDescriptor.OfMethod<java.lang.Class<?>, java.lang.invoke.MethodType>, java.io.Serializable {
 native boolean equals(java.lang.Object p0);
 native boolean hasPrimitives();
 native boolean hasWrappers();
 native int hashCode();
 native int parameterCount();
 native java.lang.Class<?> lastParameterType();
 native java.lang.Class<?> parameterType(int p0);
 native java.lang.Class<?> returnType();
 native java.lang.Class<?>[] parameterArray();
 native java.lang.String descriptorString();
 native java.lang.String toMethodDescriptorString();
 native java.lang.String toString();
 native java.lang.invoke.MethodType appendParameterTypes(java.lang.Class<?>... p0);
 native java.lang.invoke.MethodType appendParameterTypes(java.util.List<java.lang.Class<?>> p0);
 native java.lang.invoke.MethodType changeParameterType(int p0, java.lang.Class<?> p1);
 native java.lang.invoke.MethodType changeReturnType(java.lang.Class<?> p0);
 native java.lang.invoke.MethodType dropParameterTypes(int p0, int p1);
 native java.lang.invoke.MethodType erase();
 native java.lang.invoke.MethodType generic();
 native java.lang.invoke.MethodType insertParameterTypes(int p0, java.lang.Class<?>... p1);
 native java.lang.invoke.MethodType insertParameterTypes(int p0, java.util.List<java.lang.Class<?>> p1);
 native java.lang.invoke.MethodType unwrap();
 native java.lang.invoke.MethodType wrap();
 native java.util.List<java.lang.Class<?>> parameterList();
 native java.util.Optional<java.lang.constant.MethodTypeDesc> describeConstable();
 static native java.lang.invoke.MethodType fromMethodDescriptorString(java.lang.String p0, java.lang.ClassLoader p1);
 static native java.lang.invoke.MethodType genericMethodType(int p0);
 static native java.lang.invoke.MethodType genericMethodType(int p0, boolean p1);
 static native java.lang.invoke.MethodType methodType(java.lang.Class<?> p0);
 static native java.lang.invoke.MethodType methodType(java.lang.Class<?> p0, java.lang.Class<?> p1);
 static native java.lang.invoke.MethodType methodType(java.lang.Class<?> p0, java.lang.Class<?> p1, java.lang.Class<?>... p2);
 static native java.lang.invoke.MethodType methodType(java.lang.Class<?> p0, java.lang.Class<?>[] p1);
 static native java.lang.invoke.MethodType methodType(java.lang.Class<?> p0, java.lang.invoke.MethodType p1);
 static native java.lang.invoke.MethodType methodType(java.lang.Class<?> p0, java.util.List<java.lang.Class<?>> p1);
}
class MutableCallSite extends java.lang.invoke.CallSite {
 MutableCallSite(java.lang.invoke.MethodHandle p0) {}
 MutableCallSite(java.lang.invoke.MethodType p0) {}
 native final java.lang.invoke.MethodHandle dynamicInvoker();
 native final java.lang.invoke.MethodHandle getTarget();
 static native void syncAll(java.lang.invoke.MutableCallSite[] p0);
 native void setTarget(java.lang.invoke.MethodHandle p0);
}
class SerializedLambda implements java.io.Serializable {
 SerializedLambda(java.lang.Class<?> p0, java.lang.String p1, java.lang.String p2, java.lang.String p3, int p4, java.lang.String p5, java.lang.String p6, java.lang.String p7, java.lang.String p8, java.lang.Object[] p9) {}
 native final java.lang.String getInstantiatedMethodType();
 native int getCapturedArgCount();
 native int getImplMethodKind();
 native java.lang.Object getCapturedArg(int p0);
 native java.lang.String getCapturingClass();
 native java.lang.String getFunctionalInterfaceClass();
 native java.lang.String getFunctionalInterfaceMethodName();
 native java.lang.String getFunctionalInterfaceMethodSignature();
 native java.lang.String getImplClass();
 native java.lang.String getImplMethodName();
 native java.lang.String getImplMethodSignature();
 native java.lang.String toString();
}
class StringConcatException extends java.lang.Exception {
 StringConcatException(java.lang.String p0) {}
 StringConcatException(java.lang.String p0, java.lang.Throwable p1) {}
}
class StringConcatFactory {
 static native java.lang.invoke.CallSite makeConcat(java.lang.invoke.MethodHandles.Lookup p0, java.lang.String p1, java.lang.invoke.MethodType p2);
 static native java.lang.invoke.CallSite makeConcatWithConstants(java.lang.invoke.MethodHandles.Lookup p0, java.lang.String p1, java.lang.invoke.MethodType p2, java.lang.String p3, java.lang.Object... p4);
}
class SwitchPoint {
 SwitchPoint() {}
 native boolean hasBeenInvalidated();
 native java.lang.invoke.MethodHandle guardWithTest(java.lang.invoke.MethodHandle p0, java.lang.invoke.MethodHandle p1);
 static native void invalidateAll(java.lang.invoke.SwitchPoint[] p0);
}
interface TypeDescriptor {
 java.lang.String descriptorString();
 static interface OfField<F extends java.lang.invoke.TypeDescriptor.OfField<F>>  extends java.lang.invoke.TypeDescriptor {
  boolean isArray();
  boolean isPrimitive();
  F arrayType();
  F componentType();
 }
 static interface OfMethod<F extends java.lang.invoke.TypeDescriptor.OfField<F>, M extends java.lang.invoke.TypeDescriptor.OfMethod<F, M>>  extends java.lang.invoke.TypeDescriptor {
  int parameterCount();
  F parameterType(int p0);
  F returnType();
  F[] parameterArray();
  M changeParameterType(int p0, F p1);
  M changeReturnType(F p0);
  M dropParameterTypes(int p0, int p1);
  M insertParameterTypes(int p0, F... p1);
  java.util.List<F> parameterList();
 }
}
abstract class VarHandle implements java.lang.constant.Constable {
 abstract java.lang.invoke.VarHandle withInvokeBehavior();
 abstract java.lang.invoke.VarHandle withInvokeExactBehavior();
 native boolean hasInvokeExactBehavior();
 native final boolean isAccessModeSupported(java.lang.invoke.VarHandle.AccessMode p0);
 native final java.lang.String toString();
 native final java.lang.invoke.MethodType accessModeType(java.lang.invoke.VarHandle.AccessMode p0);
 native final boolean compareAndSet(java.lang.Object... p0);
 native final boolean weakCompareAndSet(java.lang.Object... p0);
 native final boolean weakCompareAndSetAcquire(java.lang.Object... p0);
 native final boolean weakCompareAndSetPlain(java.lang.Object... p0);
 native final boolean weakCompareAndSetRelease(java.lang.Object... p0);
 native final java.lang.Object compareAndExchange(java.lang.Object... p0);
 native final java.lang.Object compareAndExchangeAcquire(java.lang.Object... p0);
 native final java.lang.Object compareAndExchangeRelease(java.lang.Object... p0);
 native final java.lang.Object get(java.lang.Object... p0);
 native final java.lang.Object getAcquire(java.lang.Object... p0);
 native final java.lang.Object getAndAdd(java.lang.Object... p0);
 native final java.lang.Object getAndAddAcquire(java.lang.Object... p0);
 native final java.lang.Object getAndAddRelease(java.lang.Object... p0);
 native final java.lang.Object getAndBitwiseAnd(java.lang.Object... p0);
 native final java.lang.Object getAndBitwiseAndAcquire(java.lang.Object... p0);
 native final java.lang.Object getAndBitwiseAndRelease(java.lang.Object... p0);
 native final java.lang.Object getAndBitwiseOr(java.lang.Object... p0);
 native final java.lang.Object getAndBitwiseOrAcquire(java.lang.Object... p0);
 native final java.lang.Object getAndBitwiseOrRelease(java.lang.Object... p0);
 native final java.lang.Object getAndBitwiseXor(java.lang.Object... p0);
 native final java.lang.Object getAndBitwiseXorAcquire(java.lang.Object... p0);
 native final java.lang.Object getAndBitwiseXorRelease(java.lang.Object... p0);
 native final java.lang.Object getAndSet(java.lang.Object... p0);
 native final java.lang.Object getAndSetAcquire(java.lang.Object... p0);
 native final java.lang.Object getAndSetRelease(java.lang.Object... p0);
 native final java.lang.Object getOpaque(java.lang.Object... p0);
 native final java.lang.Object getVolatile(java.lang.Object... p0);
 native final void set(java.lang.Object... p0);
 native final void setOpaque(java.lang.Object... p0);
 native final void setRelease(java.lang.Object... p0);
 native final void setVolatile(java.lang.Object... p0);
 native java.lang.Class<?> varType();
 native java.lang.invoke.MethodHandle toMethodHandle(java.lang.invoke.VarHandle.AccessMode p0);
 native java.util.List<java.lang.Class<?>> coordinateTypes();
 native java.util.Optional<java.lang.invoke.VarHandle.VarHandleDesc> describeConstable();
 static native void acquireFence();
 static native void fullFence();
 static native void loadLoadFence();
 static native void releaseFence();
 static native void storeStoreFence();
 static enum AccessMode {
  GET, SET, GET_VOLATILE, SET_VOLATILE, GET_ACQUIRE, SET_RELEASE, GET_OPAQUE, SET_OPAQUE, COMPARE_AND_SET, COMPARE_AND_EXCHANGE, COMPARE_AND_EXCHANGE_ACQUIRE, COMPARE_AND_EXCHANGE_RELEASE, WEAK_COMPARE_AND_SET_PLAIN, WEAK_COMPARE_AND_SET, WEAK_COMPARE_AND_SET_ACQUIRE, WEAK_COMPARE_AND_SET_RELEASE, GET_AND_SET, GET_AND_SET_ACQUIRE, GET_AND_SET_RELEASE, GET_AND_ADD, GET_AND_ADD_ACQUIRE, GET_AND_ADD_RELEASE, GET_AND_BITWISE_OR, GET_AND_BITWISE_OR_RELEASE, GET_AND_BITWISE_OR_ACQUIRE, GET_AND_BITWISE_AND, GET_AND_BITWISE_AND_RELEASE, GET_AND_BITWISE_AND_ACQUIRE, GET_AND_BITWISE_XOR, GET_AND_BITWISE_XOR_RELEASE, GET_AND_BITWISE_XOR_ACQUIRE;
  native java.lang.String methodName();
  static native java.lang.invoke.VarHandle.AccessMode valueFromMethodName(java.lang.String p0);
 }
 static class VarHandleDesc extends java.lang.constant.DynamicConstantDesc<java.lang.invoke.VarHandle> {
  native java.lang.String toString();
  native java.lang.constant.ClassDesc varType();
  native java.lang.invoke.VarHandle resolveConstantDesc(java.lang.invoke.MethodHandles.Lookup p0);
  static native java.lang.invoke.VarHandle.VarHandleDesc ofArray(java.lang.constant.ClassDesc p0);
  static native java.lang.invoke.VarHandle.VarHandleDesc ofField(java.lang.constant.ClassDesc p0, java.lang.String p1, java.lang.constant.ClassDesc p2);
  static native java.lang.invoke.VarHandle.VarHandleDesc ofStaticField(java.lang.constant.ClassDesc p0, java.lang.String p1, java.lang.constant.ClassDesc p2);
 }
}
class VolatileCallSite extends java.lang.invoke.CallSite {
 VolatileCallSite(java.lang.invoke.MethodHandle p0) {}
 VolatileCallSite(java.lang.invoke.MethodType p0) {}
 native final java.lang.invoke.MethodHandle dynamicInvoker();
 native final java.lang.invoke.MethodHandle getTarget();
 native void setTarget(java.lang.invoke.MethodHandle p0);
}
class WrongMethodTypeException extends java.lang.RuntimeException {
 WrongMethodTypeException() {}
 WrongMethodTypeException(java.lang.String p0) {}
}
