package java.security;
class AccessControlContext {
 AccessControlContext(java.security.AccessControlContext p0, java.security.DomainCombiner p1) {}
 AccessControlContext(java.security.ProtectionDomain[] p0) {}
 native boolean equals(java.lang.Object p0);
 native int hashCode();
 native java.security.DomainCombiner getDomainCombiner();
 native void checkPermission(java.security.Permission p0);
}
class AccessControlException extends java.lang.SecurityException {
 AccessControlException(java.lang.String p0) {}
 AccessControlException(java.lang.String p0, java.security.Permission p1) {}
 native java.security.Permission getPermission();
}
class AccessController {
 static native <T> T doPrivileged(java.security.PrivilegedAction<T> p0);
 static native <T> T doPrivileged(java.security.PrivilegedAction<T> p0, java.security.AccessControlContext p1);
 static native <T> T doPrivileged(java.security.PrivilegedAction<T> p0, java.security.AccessControlContext p1, java.security.Permission... p2);
 static native <T> T doPrivileged(java.security.PrivilegedExceptionAction<T> p0);
 static native <T> T doPrivileged(java.security.PrivilegedExceptionAction<T> p0, java.security.AccessControlContext p1);
 static native <T> T doPrivileged(java.security.PrivilegedExceptionAction<T> p0, java.security.AccessControlContext p1, java.security.Permission... p2);
 static native <T> T doPrivilegedWithCombiner(java.security.PrivilegedAction<T> p0);
 static native <T> T doPrivilegedWithCombiner(java.security.PrivilegedAction<T> p0, java.security.AccessControlContext p1, java.security.Permission... p2);
 static native <T> T doPrivilegedWithCombiner(java.security.PrivilegedExceptionAction<T> p0);
 static native <T> T doPrivilegedWithCombiner(java.security.PrivilegedExceptionAction<T> p0, java.security.AccessControlContext p1, java.security.Permission... p2);
 static native java.security.AccessControlContext getContext();
 static native void checkPermission(java.security.Permission p0);
}
interface AlgorithmConstraints {
 boolean permits(java.util.Set<java.security.CryptoPrimitive> p0, java.lang.String p1, java.security.AlgorithmParameters p2);
 boolean permits(java.util.Set<java.security.CryptoPrimitive> p0, java.lang.String p1, java.security.Key p2, java.security.AlgorithmParameters p3);
 boolean permits(java.util.Set<java.security.CryptoPrimitive> p0, java.security.Key p1);
}
class AlgorithmParameterGenerator {
 AlgorithmParameterGenerator(java.security.AlgorithmParameterGeneratorSpi p0, java.security.Provider p1, java.lang.String p2) {}
 native final java.lang.String getAlgorithm();
 native final java.security.AlgorithmParameters generateParameters();
 native final java.security.Provider getProvider();
 native final void init(int p0);
 native final void init(int p0, java.security.SecureRandom p1);
 native final void init(java.security.spec.AlgorithmParameterSpec p0);
 native final void init(java.security.spec.AlgorithmParameterSpec p0, java.security.SecureRandom p1);
 static native java.security.AlgorithmParameterGenerator getInstance(java.lang.String p0);
 static native java.security.AlgorithmParameterGenerator getInstance(java.lang.String p0, java.lang.String p1);
 static native java.security.AlgorithmParameterGenerator getInstance(java.lang.String p0, java.security.Provider p1);
}
abstract class AlgorithmParameterGeneratorSpi {
 AlgorithmParameterGeneratorSpi() {}
 abstract java.security.AlgorithmParameters engineGenerateParameters();
 abstract void engineInit(int p0, java.security.SecureRandom p1);
 abstract void engineInit(java.security.spec.AlgorithmParameterSpec p0, java.security.SecureRandom p1);
}
class AlgorithmParameters {
 AlgorithmParameters(java.security.AlgorithmParametersSpi p0, java.security.Provider p1, java.lang.String p2) {}
 native final byte[] getEncoded();
 native final byte[] getEncoded(java.lang.String p0);
 native final java.lang.String getAlgorithm();
 native final java.lang.String toString();
 native final java.security.Provider getProvider();
 native final <T extends java.security.spec.AlgorithmParameterSpec> T getParameterSpec(java.lang.Class<T> p0);
 native final void init(byte[] p0);
 native final void init(byte[] p0, java.lang.String p1);
 native final void init(java.security.spec.AlgorithmParameterSpec p0);
 static native java.security.AlgorithmParameters getInstance(java.lang.String p0);
 static native java.security.AlgorithmParameters getInstance(java.lang.String p0, java.lang.String p1);
 static native java.security.AlgorithmParameters getInstance(java.lang.String p0, java.security.Provider p1);
}
abstract class AlgorithmParametersSpi {
 AlgorithmParametersSpi() {}
 abstract byte[] engineGetEncoded();
 abstract byte[] engineGetEncoded(java.lang.String p0);
 abstract java.lang.String engineToString();
 abstract <T extends java.security.spec.AlgorithmParameterSpec> T engineGetParameterSpec(java.lang.Class<T> p0);
 abstract void engineInit(byte[] p0);
 abstract void engineInit(byte[] p0, java.lang.String p1);
 abstract void engineInit(java.security.spec.AlgorithmParameterSpec p0);
}
class AllPermission extends java.security.Permission {
 AllPermission() {}
 AllPermission(java.lang.String p0, java.lang.String p1) {}
 native boolean equals(java.lang.Object p0);
 native boolean implies(java.security.Permission p0);
 native int hashCode();
 native java.lang.String getActions();
 native java.security.PermissionCollection newPermissionCollection();
}
abstract class AuthProvider extends java.security.Provider {
 AuthProvider(java.lang.String p0, double p1, java.lang.String p2) {}
 AuthProvider(java.lang.String p0, java.lang.String p1, java.lang.String p2) {}
 abstract void login(javax.security.auth.Subject p0, javax.security.auth.callback.CallbackHandler p1);
 abstract void logout();
 abstract void setCallbackHandler(javax.security.auth.callback.CallbackHandler p0);
}
abstract class BasicPermission extends java.security.Permission implements java.io.Serializable {
 BasicPermission(java.lang.String p0) {}
 BasicPermission(java.lang.String p0, java.lang.String p1) {}
 native boolean equals(java.lang.Object p0);
 native boolean implies(java.security.Permission p0);
 native int hashCode();
 native java.lang.String getActions();
 native java.security.PermissionCollection newPermissionCollection();
}
interface Certificate {
 java.lang.String getFormat();
 java.lang.String toString(boolean p0);
 java.security.Principal getGuarantor();
 java.security.Principal getPrincipal();
 java.security.PublicKey getPublicKey();
 void decode(java.io.InputStream p0);
 void encode(java.io.OutputStream p0);
}
class CodeSigner implements java.io.Serializable {
 CodeSigner(java.security.cert.CertPath p0, java.security.Timestamp p1) {}
 native boolean equals(java.lang.Object p0);
 native int hashCode();
 native java.lang.String toString();
 native java.security.Timestamp getTimestamp();
 native java.security.cert.CertPath getSignerCertPath();
}
class CodeSource implements java.io.Serializable {
 CodeSource(java.net.URL p0, java.security.CodeSigner[] p1) {}
 CodeSource(java.net.URL p0, java.security.cert.Certificate[] p1) {}
 native boolean equals(java.lang.Object p0);
 native boolean implies(java.security.CodeSource p0);
 native final java.net.URL getLocation();
 native final java.security.CodeSigner[] getCodeSigners();
 native final java.security.cert.Certificate[] getCertificates();
 native int hashCode();
 native java.lang.String toString();
}
enum CryptoPrimitive {
 MESSAGE_DIGEST, SECURE_RANDOM, BLOCK_CIPHER, STREAM_CIPHER, MAC, KEY_WRAP, PUBLIC_KEY_ENCRYPTION, SIGNATURE, KEY_ENCAPSULATION, KEY_AGREEMENT;
}
class DigestException extends java.security.GeneralSecurityException {
 DigestException() {}
 DigestException(java.lang.String p0) {}
 DigestException(java.lang.String p0, java.lang.Throwable p1) {}
 DigestException(java.lang.Throwable p0) {}
}
class DigestInputStream extends java.io.FilterInputStream {
 java.security.MessageDigest digest;
 DigestInputStream(java.io.InputStream p0, java.security.MessageDigest p1) {}
 native int read();
 native int read(byte[] p0, int p1, int p2);
 native java.lang.String toString();
 native java.security.MessageDigest getMessageDigest();
 native void on(boolean p0);
 native void setMessageDigest(java.security.MessageDigest p0);
}
class DigestOutputStream extends java.io.FilterOutputStream {
 java.security.MessageDigest digest;
 DigestOutputStream(java.io.OutputStream p0, java.security.MessageDigest p1) {}
 native java.lang.String toString();
 native java.security.MessageDigest getMessageDigest();
 native void on(boolean p0);
 native void setMessageDigest(java.security.MessageDigest p0);
 native void write(byte[] p0, int p1, int p2);
 native void write(int p0);
}
interface DomainCombiner {
 java.security.ProtectionDomain[] combine(java.security.ProtectionDomain[] p0, java.security.ProtectionDomain[] p1);
}
class DomainLoadStoreParameter implements java.security.KeyStore.LoadStoreParameter {
 DomainLoadStoreParameter(java.net.URI p0, java.util.Map<java.lang.String, java.security.KeyStore.ProtectionParameter> p1) {}
 native java.net.URI getConfiguration();
 native java.security.KeyStore.ProtectionParameter getProtectionParameter();
 native java.util.Map<java.lang.String, java.security.KeyStore.ProtectionParameter> getProtectionParams();
}
class DrbgParameters {
 static native java.security.DrbgParameters.Instantiation instantiation(int p0, java.security.DrbgParameters.Capability p1, byte[] p2);
 static native java.security.DrbgParameters.NextBytes nextBytes(int p0, boolean p1, byte[] p2);
 static native java.security.DrbgParameters.Reseed reseed(boolean p0, byte[] p1);
 static enum Capability {
  PR_AND_RESEED, RESEED_ONLY, NONE;
  native boolean supportsPredictionResistance();
  native boolean supportsReseeding();
  native java.lang.String toString();
 }
 static class Instantiation implements java.security.SecureRandomParameters {
  native byte[] getPersonalizationString();
  native int getStrength();
  native java.lang.String toString();
  native java.security.DrbgParameters.Capability getCapability();
 }
 static class NextBytes implements java.security.SecureRandomParameters {
  native boolean getPredictionResistance();
  native byte[] getAdditionalInput();
  native int getStrength();
 }
 static class Reseed implements java.security.SecureRandomParameters {
  native boolean getPredictionResistance();
  native byte[] getAdditionalInput();
 }
}
class GeneralSecurityException extends java.lang.Exception {
 GeneralSecurityException() {}
 GeneralSecurityException(java.lang.String p0) {}
 GeneralSecurityException(java.lang.String p0, java.lang.Throwable p1) {}
 GeneralSecurityException(java.lang.Throwable p0) {}
}
interface Guard {
 void checkGuard(java.lang.Object p0);
}
class GuardedObject implements java.io.Serializable {
 GuardedObject(java.lang.Object p0, java.security.Guard p1) {}
 native java.lang.Object getObject();
}
abstract class Identity implements java.security.Principal, java.io.Serializable {
 Identity() {}
 Identity(java.lang.String p0) {}
 Identity(java.lang.String p0, java.security.IdentityScope p1) {}
 native boolean identityEquals(java.security.Identity p0);
 native final boolean equals(java.lang.Object p0);
 native final java.lang.String getName();
 native final java.security.IdentityScope getScope();
 native int hashCode();
 native java.lang.String getInfo();
 native java.lang.String toString();
 native java.lang.String toString(boolean p0);
 native java.security.Certificate[] certificates();
 native java.security.PublicKey getPublicKey();
 native void addCertificate(java.security.Certificate p0);
 native void removeCertificate(java.security.Certificate p0);
 native void setInfo(java.lang.String p0);
 native void setPublicKey(java.security.PublicKey p0);
}
abstract class IdentityScope extends java.security.Identity {
 IdentityScope() {}
 IdentityScope(java.lang.String p0) {}
 IdentityScope(java.lang.String p0, java.security.IdentityScope p1) {}
 static native void setSystemScope(java.security.IdentityScope p0);
 abstract int size();
 abstract java.security.Identity getIdentity(java.lang.String p0);
 abstract java.security.Identity getIdentity(java.security.PublicKey p0);
 abstract java.util.Enumeration<java.security.Identity> identities();
 abstract void addIdentity(java.security.Identity p0);
 abstract void removeIdentity(java.security.Identity p0);
 native java.lang.String toString();
 native java.security.Identity getIdentity(java.security.Principal p0);
 static native java.security.IdentityScope getSystemScope();
}
class InvalidAlgorithmParameterException extends java.security.GeneralSecurityException {
 InvalidAlgorithmParameterException() {}
 InvalidAlgorithmParameterException(java.lang.String p0) {}
 InvalidAlgorithmParameterException(java.lang.String p0, java.lang.Throwable p1) {}
 InvalidAlgorithmParameterException(java.lang.Throwable p0) {}
}
class InvalidKeyException extends java.security.KeyException {
 InvalidKeyException() {}
 InvalidKeyException(java.lang.String p0) {}
 InvalidKeyException(java.lang.String p0, java.lang.Throwable p1) {}
 InvalidKeyException(java.lang.Throwable p0) {}
}
class InvalidParameterException extends java.lang.IllegalArgumentException {
 InvalidParameterException() {}
 InvalidParameterException(java.lang.String p0) {}
}
interface Key extends java.io.Serializable {
 static long serialVersionUID;
 byte[] getEncoded();
 java.lang.String getAlgorithm();
 java.lang.String getFormat();
}
class KeyException extends java.security.GeneralSecurityException {
 KeyException() {}
 KeyException(java.lang.String p0) {}
 KeyException(java.lang.String p0, java.lang.Throwable p1) {}
 KeyException(java.lang.Throwable p0) {}
}
class KeyFactory {
 KeyFactory(java.security.KeyFactorySpi p0, java.security.Provider p1, java.lang.String p2) {}
 native final java.lang.String getAlgorithm();
 native final java.security.Key translateKey(java.security.Key p0);
 native final java.security.PrivateKey generatePrivate(java.security.spec.KeySpec p0);
 native final java.security.Provider getProvider();
 native final java.security.PublicKey generatePublic(java.security.spec.KeySpec p0);
 native final <T extends java.security.spec.KeySpec> T getKeySpec(java.security.Key p0, java.lang.Class<T> p1);
 static native java.security.KeyFactory getInstance(java.lang.String p0);
 static native java.security.KeyFactory getInstance(java.lang.String p0, java.lang.String p1);
 static native java.security.KeyFactory getInstance(java.lang.String p0, java.security.Provider p1);
}
abstract class KeyFactorySpi {
 KeyFactorySpi() {}
 abstract java.security.Key engineTranslateKey(java.security.Key p0);
 abstract java.security.PrivateKey engineGeneratePrivate(java.security.spec.KeySpec p0);
 abstract java.security.PublicKey engineGeneratePublic(java.security.spec.KeySpec p0);
 abstract <T extends java.security.spec.KeySpec> T engineGetKeySpec(java.security.Key p0, java.lang.Class<T> p1);
}
class KeyManagementException extends java.security.KeyException {
 KeyManagementException() {}
 KeyManagementException(java.lang.String p0) {}
 KeyManagementException(java.lang.String p0, java.lang.Throwable p1) {}
 KeyManagementException(java.lang.Throwable p0) {}
}
class KeyPair implements java.io.Serializable {
 KeyPair(java.security.PublicKey p0, java.security.PrivateKey p1) {}
 native java.security.PrivateKey getPrivate();
 native java.security.PublicKey getPublic();
}
abstract class KeyPairGenerator extends java.security.KeyPairGeneratorSpi {
 KeyPairGenerator(java.lang.String p0) {}
 native final java.security.KeyPair genKeyPair();
 native final java.security.Provider getProvider();
 native java.lang.String getAlgorithm();
 native java.security.KeyPair generateKeyPair();
 static native java.security.KeyPairGenerator getInstance(java.lang.String p0);
 static native java.security.KeyPairGenerator getInstance(java.lang.String p0, java.lang.String p1);
 static native java.security.KeyPairGenerator getInstance(java.lang.String p0, java.security.Provider p1);
 native void initialize(int p0);
 native void initialize(int p0, java.security.SecureRandom p1);
 native void initialize(java.security.spec.AlgorithmParameterSpec p0);
 native void initialize(java.security.spec.AlgorithmParameterSpec p0, java.security.SecureRandom p1);
}
abstract class KeyPairGeneratorSpi {
 KeyPairGeneratorSpi() {}
 abstract java.security.KeyPair generateKeyPair();
 abstract void initialize(int p0, java.security.SecureRandom p1);
 native void initialize(java.security.spec.AlgorithmParameterSpec p0, java.security.SecureRandom p1);
}
class KeyRep implements java.io.Serializable {
 KeyRep(java.security.KeyRep.Type p0, java.lang.String p1, java.lang.String p2, byte[] p3) {}
 native java.lang.Object readResolve();
 static enum Type {
  SECRET, PUBLIC, PRIVATE;
 }
}
class KeyStore {
 KeyStore(java.security.KeyStoreSpi p0, java.security.Provider p1, java.lang.String p2) {}
 native final boolean containsAlias(java.lang.String p0);
 native final boolean entryInstanceOf(java.lang.String p0, java.lang.Class<? extends java.security.KeyStore.Entry> p1);
 native final boolean isCertificateEntry(java.lang.String p0);
 native final boolean isKeyEntry(java.lang.String p0);
 native final int size();
 native final java.lang.String getCertificateAlias(java.security.cert.Certificate p0);
 native final java.lang.String getType();
 native final java.security.Key getKey(java.lang.String p0, char[] p1);
 native final java.security.KeyStore.Entry getEntry(java.lang.String p0, java.security.KeyStore.ProtectionParameter p1);
 native final java.security.Provider getProvider();
 native final java.security.cert.Certificate getCertificate(java.lang.String p0);
 native final java.security.cert.Certificate[] getCertificateChain(java.lang.String p0);
 native final java.util.Date getCreationDate(java.lang.String p0);
 native final java.util.Enumeration<java.lang.String> aliases();
 native final void deleteEntry(java.lang.String p0);
 native final void load(java.io.InputStream p0, char[] p1);
 native final void load(java.security.KeyStore.LoadStoreParameter p0);
 native final void setCertificateEntry(java.lang.String p0, java.security.cert.Certificate p1);
 native final void setEntry(java.lang.String p0, java.security.KeyStore.Entry p1, java.security.KeyStore.ProtectionParameter p2);
 native final void setKeyEntry(java.lang.String p0, byte[] p1, java.security.cert.Certificate[] p2);
 native final void setKeyEntry(java.lang.String p0, java.security.Key p1, char[] p2, java.security.cert.Certificate[] p3);
 native final void store(java.io.OutputStream p0, char[] p1);
 native final void store(java.security.KeyStore.LoadStoreParameter p0);
 static native final java.lang.String getDefaultType();
 static native final java.security.KeyStore getInstance(java.io.File p0, char[] p1);
 static native final java.security.KeyStore getInstance(java.io.File p0, java.security.KeyStore.LoadStoreParameter p1);
 static native java.security.KeyStore getInstance(java.lang.String p0);
 static native java.security.KeyStore getInstance(java.lang.String p0, java.lang.String p1);
 static native java.security.KeyStore getInstance(java.lang.String p0, java.security.Provider p1);
 abstract static class Builder {
  Builder() {}
  abstract java.security.KeyStore getKeyStore();
  abstract java.security.KeyStore.ProtectionParameter getProtectionParameter(java.lang.String p0);
  static native java.security.KeyStore.Builder newInstance(java.io.File p0, java.security.KeyStore.ProtectionParameter p1);
  static native java.security.KeyStore.Builder newInstance(java.lang.String p0, java.security.Provider p1, java.io.File p2, java.security.KeyStore.ProtectionParameter p3);
  static native java.security.KeyStore.Builder newInstance(java.lang.String p0, java.security.Provider p1, java.security.KeyStore.ProtectionParameter p2);
  static native java.security.KeyStore.Builder newInstance(java.security.KeyStore p0, java.security.KeyStore.ProtectionParameter p1);
 }
 static class CallbackHandlerProtection implements java.security.KeyStore.ProtectionParameter {
  CallbackHandlerProtection(javax.security.auth.callback.CallbackHandler p0) {}
  native javax.security.auth.callback.CallbackHandler getCallbackHandler();
 }
 static class PasswordProtection implements java.security.KeyStore.ProtectionParameter, javax.security.auth.Destroyable {
  PasswordProtection(char[] p0) {}
  PasswordProtection(char[] p0, java.lang.String p1, java.security.spec.AlgorithmParameterSpec p2) {}
  native java.lang.String getProtectionAlgorithm();
  native java.security.spec.AlgorithmParameterSpec getProtectionParameters();
  native boolean isDestroyed();
  native char[] getPassword();
  native void destroy();
 }
 static class PrivateKeyEntry implements java.security.KeyStore.Entry {
  PrivateKeyEntry(java.security.PrivateKey p0, java.security.cert.Certificate[] p1) {}
  PrivateKeyEntry(java.security.PrivateKey p0, java.security.cert.Certificate[] p1, java.util.Set<java.security.KeyStore.Entry.Attribute> p2) {}
  native java.lang.String toString();
  native java.security.PrivateKey getPrivateKey();
  native java.security.cert.Certificate getCertificate();
  native java.security.cert.Certificate[] getCertificateChain();
  native java.util.Set<java.security.KeyStore.Entry.Attribute> getAttributes();
 }
 static class SecretKeyEntry implements java.security.KeyStore.Entry {
  SecretKeyEntry(javax.crypto.SecretKey p0) {}
  SecretKeyEntry(javax.crypto.SecretKey p0, java.util.Set<java.security.KeyStore.Entry.Attribute> p1) {}
  native java.lang.String toString();
  native java.util.Set<java.security.KeyStore.Entry.Attribute> getAttributes();
  native javax.crypto.SecretKey getSecretKey();
 }
 static class TrustedCertificateEntry implements java.security.KeyStore.Entry {
  TrustedCertificateEntry(java.security.cert.Certificate p0) {}
  TrustedCertificateEntry(java.security.cert.Certificate p0, java.util.Set<java.security.KeyStore.Entry.Attribute> p1) {}
  native java.lang.String toString();
  native java.security.cert.Certificate getTrustedCertificate();
  native java.util.Set<java.security.KeyStore.Entry.Attribute> getAttributes();
 }
 static interface Entry {
  default java.util.Set<java.security.KeyStore.Entry.Attribute> getAttributes() {}
  static interface Attribute {
   java.lang.String getName();
   java.lang.String getValue();
  }
 }
 static interface LoadStoreParameter {
  java.security.KeyStore.ProtectionParameter getProtectionParameter();
 }
 static interface ProtectionParameter {
 }
}
class KeyStoreException extends java.security.GeneralSecurityException {
 KeyStoreException() {}
 KeyStoreException(java.lang.String p0) {}
 KeyStoreException(java.lang.String p0, java.lang.Throwable p1) {}
 KeyStoreException(java.lang.Throwable p0) {}
}
abstract class KeyStoreSpi {
 KeyStoreSpi() {}
 abstract boolean engineContainsAlias(java.lang.String p0);
 abstract boolean engineIsCertificateEntry(java.lang.String p0);
 abstract boolean engineIsKeyEntry(java.lang.String p0);
 abstract int engineSize();
 abstract java.lang.String engineGetCertificateAlias(java.security.cert.Certificate p0);
 abstract java.security.Key engineGetKey(java.lang.String p0, char[] p1);
 abstract java.security.cert.Certificate engineGetCertificate(java.lang.String p0);
 abstract java.security.cert.Certificate[] engineGetCertificateChain(java.lang.String p0);
 abstract java.util.Date engineGetCreationDate(java.lang.String p0);
 abstract java.util.Enumeration<java.lang.String> engineAliases();
 abstract void engineDeleteEntry(java.lang.String p0);
 abstract void engineLoad(java.io.InputStream p0, char[] p1);
 abstract void engineSetCertificateEntry(java.lang.String p0, java.security.cert.Certificate p1);
 abstract void engineSetKeyEntry(java.lang.String p0, byte[] p1, java.security.cert.Certificate[] p2);
 abstract void engineSetKeyEntry(java.lang.String p0, java.security.Key p1, char[] p2, java.security.cert.Certificate[] p3);
 abstract void engineStore(java.io.OutputStream p0, char[] p1);
 native boolean engineEntryInstanceOf(java.lang.String p0, java.lang.Class<? extends java.security.KeyStore.Entry> p1);
 native boolean engineProbe(java.io.InputStream p0);
 native java.security.KeyStore.Entry engineGetEntry(java.lang.String p0, java.security.KeyStore.ProtectionParameter p1);
 native void engineLoad(java.security.KeyStore.LoadStoreParameter p0);
 native void engineSetEntry(java.lang.String p0, java.security.KeyStore.Entry p1, java.security.KeyStore.ProtectionParameter p2);
 native void engineStore(java.security.KeyStore.LoadStoreParameter p0);
}
abstract class MessageDigest extends java.security.MessageDigestSpi {
 MessageDigest(java.lang.String p0) {}
 native byte[] digest();
 native byte[] digest(byte[] p0);
 native final int getDigestLength();
 native final java.lang.String getAlgorithm();
 native final java.security.Provider getProvider();
 native final void update(java.nio.ByteBuffer p0);
 native int digest(byte[] p0, int p1, int p2);
 native java.lang.Object clone();
 native java.lang.String toString();
 static native boolean isEqual(byte[] p0, byte[] p1);
 static native java.security.MessageDigest getInstance(java.lang.String p0);
 static native java.security.MessageDigest getInstance(java.lang.String p0, java.lang.String p1);
 static native java.security.MessageDigest getInstance(java.lang.String p0, java.security.Provider p1);
 native void reset();
 native void update(byte p0);
 native void update(byte[] p0);
 native void update(byte[] p0, int p1, int p2);
}
abstract class MessageDigestSpi {
 MessageDigestSpi() {}
 abstract byte[] engineDigest();
 abstract void engineReset();
 abstract void engineUpdate(byte p0);
 abstract void engineUpdate(byte[] p0, int p1, int p2);
 native int engineDigest(byte[] p0, int p1, int p2);
 native int engineGetDigestLength();
 native void engineUpdate(java.nio.ByteBuffer p0);
 native java.lang.Object clone();
}
class NoSuchAlgorithmException extends java.security.GeneralSecurityException {
 NoSuchAlgorithmException() {}
 NoSuchAlgorithmException(java.lang.String p0) {}
 NoSuchAlgorithmException(java.lang.String p0, java.lang.Throwable p1) {}
 NoSuchAlgorithmException(java.lang.Throwable p0) {}
}
class NoSuchProviderException extends java.security.GeneralSecurityException {
 NoSuchProviderException() {}
 NoSuchProviderException(java.lang.String p0) {}
}
class PKCS12Attribute implements java.security.KeyStore.Entry.Attribute {
 PKCS12Attribute(byte[] p0) {}
 PKCS12Attribute(java.lang.String p0, java.lang.String p1) {}
 native boolean equals(java.lang.Object p0);
 native byte[] getEncoded();
 native int hashCode();
 native java.lang.String getName();
 native java.lang.String getValue();
 native java.lang.String toString();
}
abstract class Permission implements java.security.Guard, java.io.Serializable {
 Permission(java.lang.String p0) {}
 abstract boolean equals(java.lang.Object p0);
 abstract boolean implies(java.security.Permission p0);
 abstract int hashCode();
 abstract java.lang.String getActions();
 native final java.lang.String getName();
 native java.lang.String toString();
 native java.security.PermissionCollection newPermissionCollection();
 native void checkGuard(java.lang.Object p0);
}
abstract class PermissionCollection implements java.io.Serializable {
 PermissionCollection() {}
 abstract boolean implies(java.security.Permission p0);
 abstract java.util.Enumeration<java.security.Permission> elements();
 abstract void add(java.security.Permission p0);
 native boolean isReadOnly();
 native java.lang.String toString();
 native java.util.stream.Stream<java.security.Permission> elementsAsStream();
 native void setReadOnly();
}
class Permissions extends java.security.PermissionCollection implements java.io.Serializable {
 Permissions() {}
 native boolean implies(java.security.Permission p0);
 native java.util.Enumeration<java.security.Permission> elements();
 native void add(java.security.Permission p0);
}
abstract class Policy {
 static java.security.PermissionCollection UNSUPPORTED_EMPTY_COLLECTION;
 Policy() {}
 native boolean implies(java.security.ProtectionDomain p0, java.security.Permission p1);
 native java.lang.String getType();
 native java.security.PermissionCollection getPermissions(java.security.CodeSource p0);
 native java.security.PermissionCollection getPermissions(java.security.ProtectionDomain p0);
 native java.security.Policy.Parameters getParameters();
 native java.security.Provider getProvider();
 static native java.security.Policy getInstance(java.lang.String p0, java.security.Policy.Parameters p1);
 static native java.security.Policy getInstance(java.lang.String p0, java.security.Policy.Parameters p1, java.lang.String p2);
 static native java.security.Policy getInstance(java.lang.String p0, java.security.Policy.Parameters p1, java.security.Provider p2);
 static native java.security.Policy getPolicy();
 static native void setPolicy(java.security.Policy p0);
 native void refresh();
 static interface Parameters {
 }
}
abstract class PolicySpi {
 PolicySpi() {}
 abstract boolean engineImplies(java.security.ProtectionDomain p0, java.security.Permission p1);
 native java.security.PermissionCollection engineGetPermissions(java.security.CodeSource p0);
 native java.security.PermissionCollection engineGetPermissions(java.security.ProtectionDomain p0);
 native void engineRefresh();
}
interface Principal {
 boolean equals(java.lang.Object p0);
 int hashCode();
 java.lang.String getName();
 java.lang.String toString();
 default boolean implies(javax.security.auth.Subject p0) {}
}
interface PrivateKey extends java.security.Key, javax.security.auth.Destroyable {
 static long serialVersionUID;
}
interface PrivilegedAction<T>  {
 T run();
}
class PrivilegedActionException extends java.lang.Exception {
 PrivilegedActionException(java.lang.Exception p0) {}
 native java.lang.Exception getException();
 native java.lang.String toString();
}
interface PrivilegedExceptionAction<T>  {
 T run();
}
class ProtectionDomain {
 ProtectionDomain(java.security.CodeSource p0, java.security.PermissionCollection p1) {}
 ProtectionDomain(java.security.CodeSource p0, java.security.PermissionCollection p1, java.lang.ClassLoader p2, java.security.Principal[] p3) {}
 native boolean implies(java.security.Permission p0);
 native final boolean staticPermissionsOnly();
 native final java.lang.ClassLoader getClassLoader();
 native final java.security.CodeSource getCodeSource();
 native final java.security.PermissionCollection getPermissions();
 native final java.security.Principal[] getPrincipals();
 native java.lang.String toString();
}
abstract class Provider extends java.util.Properties {
 Provider(java.lang.String p0, double p1, java.lang.String p2) {}
 Provider(java.lang.String p0, java.lang.String p1, java.lang.String p2) {}
 native void putService(java.security.Provider.Service p0);
 native void removeService(java.security.Provider.Service p0);
 native boolean isConfigured();
 native double getVersion();
 native java.lang.Object get(java.lang.Object p0);
 native java.lang.String getInfo();
 native java.lang.String getName();
 native java.lang.String getProperty(java.lang.String p0);
 native java.lang.String getVersionStr();
 native java.lang.String toString();
 native java.security.Provider configure(java.lang.String p0);
 native java.security.Provider.Service getService(java.lang.String p0, java.lang.String p1);
 native java.util.Collection<java.lang.Object> values();
 native java.util.Enumeration<java.lang.Object> elements();
 native java.util.Enumeration<java.lang.Object> keys();
 native java.util.Set<java.security.Provider.Service> getServices();
 native java.util.Set<java.lang.Object> keySet();
 native boolean remove(java.lang.Object p0, java.lang.Object p1);
 native boolean replace(java.lang.Object p0, java.lang.Object p1, java.lang.Object p2);
 native java.lang.Object compute(java.lang.Object p0, java.util.function.BiFunction<? super java.lang.Object, ? super java.lang.Object, ?> p1);
 native java.lang.Object computeIfAbsent(java.lang.Object p0, java.util.function.Function<? super java.lang.Object, ?> p1);
 native java.lang.Object computeIfPresent(java.lang.Object p0, java.util.function.BiFunction<? super java.lang.Object, ? super java.lang.Object, ?> p1);
 native java.lang.Object getOrDefault(java.lang.Object p0, java.lang.Object p1);
 native java.lang.Object merge(java.lang.Object p0, java.lang.Object p1, java.util.function.BiFunction<? super java.lang.Object, ? super java.lang.Object, ?> p2);
 native java.lang.Object put(java.lang.Object p0, java.lang.Object p1);
 native java.lang.Object putIfAbsent(java.lang.Object p0, java.lang.Object p1);
 native java.lang.Object remove(java.lang.Object p0);
 native java.lang.Object replace(java.lang.Object p0, java.lang.Object p1);
 native java.util.Set<java.util.Map.Entry<java.lang.Object, java.lang.Object>> entrySet();
 native void clear();
 native void forEach(java.util.function.BiConsumer<? super java.lang.Object, ? super java.lang.Object> p0);
 native void load(java.io.InputStream p0);
 native void putAll(java.util.Map<?, ?> p0);
 native void replaceAll(java.util.function.BiFunction<? super java.lang.Object, ? super java.lang.Object, ?> p0);
 static class Service {
  Service(java.security.Provider p0, java.lang.String p1, java.lang.String p2, java.lang.String p3, java.util.List<java.lang.String> p4, java.util.Map<java.lang.String, java.lang.String> p5) {}
  native boolean supportsParameter(java.lang.Object p0);
  native final java.lang.String getAlgorithm();
  native final java.lang.String getAttribute(java.lang.String p0);
  native final java.lang.String getClassName();
  native final java.lang.String getType();
  native final java.security.Provider getProvider();
  native java.lang.Object newInstance(java.lang.Object p0);
  native java.lang.String toString();
 }
}
class ProviderException extends java.lang.RuntimeException {
 ProviderException() {}
 ProviderException(java.lang.String p0) {}
 ProviderException(java.lang.String p0, java.lang.Throwable p1) {}
 ProviderException(java.lang.Throwable p0) {}
}
interface PublicKey extends java.security.Key {
 static long serialVersionUID;
}
class SecureClassLoader extends java.lang.ClassLoader {
 SecureClassLoader() {}
 SecureClassLoader(java.lang.ClassLoader p0) {}
 SecureClassLoader(java.lang.String p0, java.lang.ClassLoader p1) {}
 native final java.lang.Class<?> defineClass(java.lang.String p0, byte[] p1, int p2, int p3, java.security.CodeSource p4);
 native final java.lang.Class<?> defineClass(java.lang.String p0, java.nio.ByteBuffer p1, java.security.CodeSource p2);
 native java.security.PermissionCollection getPermissions(java.security.CodeSource p0);
}
class SecureRandom extends java.util.Random {
 SecureRandom(java.security.SecureRandomSpi p0, java.security.Provider p1) {}
 SecureRandom() {}
 SecureRandom(byte[] p0) {}
 native final int next(int p0);
 native byte[] generateSeed(int p0);
 native final java.security.Provider getProvider();
 native java.lang.String getAlgorithm();
 native java.lang.String toString();
 native java.security.SecureRandomParameters getParameters();
 static native byte[] getSeed(int p0);
 static native java.security.SecureRandom getInstance(java.lang.String p0);
 static native java.security.SecureRandom getInstance(java.lang.String p0, java.lang.String p1);
 static native java.security.SecureRandom getInstance(java.lang.String p0, java.security.Provider p1);
 static native java.security.SecureRandom getInstance(java.lang.String p0, java.security.SecureRandomParameters p1);
 static native java.security.SecureRandom getInstance(java.lang.String p0, java.security.SecureRandomParameters p1, java.lang.String p2);
 static native java.security.SecureRandom getInstance(java.lang.String p0, java.security.SecureRandomParameters p1, java.security.Provider p2);
 static native java.security.SecureRandom getInstanceStrong();
 native void nextBytes(byte[] p0);
 native void nextBytes(byte[] p0, java.security.SecureRandomParameters p1);
 native void reseed();
 native void reseed(java.security.SecureRandomParameters p0);
 native void setSeed(byte[] p0);
 native void setSeed(long p0);
}
interface SecureRandomParameters {
}
abstract class SecureRandomSpi implements java.io.Serializable {
 SecureRandomSpi(java.security.SecureRandomParameters p0) {}
 SecureRandomSpi() {}
 abstract byte[] engineGenerateSeed(int p0);
 abstract void engineNextBytes(byte[] p0);
 abstract void engineSetSeed(byte[] p0);
 native java.security.SecureRandomParameters engineGetParameters();
 native void engineNextBytes(byte[] p0, java.security.SecureRandomParameters p1);
 native void engineReseed(java.security.SecureRandomParameters p0);
 native java.lang.String toString();
}
class Security {
 static native int addProvider(java.security.Provider p0);
 static native java.lang.String getAlgorithmProperty(java.lang.String p0, java.lang.String p1);
 static native java.lang.String getProperty(java.lang.String p0);
 static native java.security.Provider getProvider(java.lang.String p0);
 static native java.security.Provider[] getProviders();
 static native java.security.Provider[] getProviders(java.lang.String p0);
 static native java.security.Provider[] getProviders(java.util.Map<java.lang.String, java.lang.String> p0);
 static native java.util.Set<java.lang.String> getAlgorithms(java.lang.String p0);
 static native int insertProviderAt(java.security.Provider p0, int p1);
 static native void removeProvider(java.lang.String p0);
 static native void setProperty(java.lang.String p0, java.lang.String p1);
}
class SecurityPermission extends java.security.BasicPermission {
 SecurityPermission(java.lang.String p0) {}
 SecurityPermission(java.lang.String p0, java.lang.String p1) {}
}
abstract class Signature extends java.security.SignatureSpi {
 int state;
 static int SIGN;
 static int UNINITIALIZED;
 static int VERIFY;
 Signature(java.lang.String p0) {}
 native final boolean verify(byte[] p0);
 native final boolean verify(byte[] p0, int p1, int p2);
 native final byte[] sign();
 native final int sign(byte[] p0, int p1, int p2);
 native final java.lang.Object getParameter(java.lang.String p0);
 native final java.lang.String getAlgorithm();
 native final java.security.AlgorithmParameters getParameters();
 native final java.security.Provider getProvider();
 native final void initSign(java.security.PrivateKey p0);
 native final void initSign(java.security.PrivateKey p0, java.security.SecureRandom p1);
 native final void initVerify(java.security.PublicKey p0);
 native final void initVerify(java.security.cert.Certificate p0);
 native final void setParameter(java.lang.String p0, java.lang.Object p1);
 native final void setParameter(java.security.spec.AlgorithmParameterSpec p0);
 native final void update(byte p0);
 native final void update(byte[] p0);
 native final void update(byte[] p0, int p1, int p2);
 native final void update(java.nio.ByteBuffer p0);
 native java.lang.Object clone();
 native java.lang.String toString();
 static native java.security.Signature getInstance(java.lang.String p0);
 static native java.security.Signature getInstance(java.lang.String p0, java.lang.String p1);
 static native java.security.Signature getInstance(java.lang.String p0, java.security.Provider p1);
}
class SignatureException extends java.security.GeneralSecurityException {
 SignatureException() {}
 SignatureException(java.lang.String p0) {}
 SignatureException(java.lang.String p0, java.lang.Throwable p1) {}
 SignatureException(java.lang.Throwable p0) {}
}
abstract class SignatureSpi {
 java.security.SecureRandom appRandom;
 SignatureSpi() {}
 abstract boolean engineVerify(byte[] p0);
 abstract byte[] engineSign();
 abstract java.lang.Object engineGetParameter(java.lang.String p0);
 abstract void engineInitSign(java.security.PrivateKey p0);
 abstract void engineInitVerify(java.security.PublicKey p0);
 abstract void engineSetParameter(java.lang.String p0, java.lang.Object p1);
 abstract void engineUpdate(byte p0);
 abstract void engineUpdate(byte[] p0, int p1, int p2);
 native boolean engineVerify(byte[] p0, int p1, int p2);
 native int engineSign(byte[] p0, int p1, int p2);
 native java.security.AlgorithmParameters engineGetParameters();
 native void engineInitSign(java.security.PrivateKey p0, java.security.SecureRandom p1);
 native void engineSetParameter(java.security.spec.AlgorithmParameterSpec p0);
 native void engineUpdate(java.nio.ByteBuffer p0);
 native java.lang.Object clone();
}
class SignedObject implements java.io.Serializable {
 SignedObject(java.io.Serializable p0, java.security.PrivateKey p1, java.security.Signature p2) {}
 native boolean verify(java.security.PublicKey p0, java.security.Signature p1);
 native byte[] getSignature();
 native java.lang.Object getObject();
 native java.lang.String getAlgorithm();
}
abstract class Signer extends java.security.Identity {
 Signer() {}
 Signer(java.lang.String p0) {}
 Signer(java.lang.String p0, java.security.IdentityScope p1) {}
 native final void setKeyPair(java.security.KeyPair p0);
 native java.lang.String toString();
 native java.security.PrivateKey getPrivateKey();
}
class Timestamp implements java.io.Serializable {
 Timestamp(java.util.Date p0, java.security.cert.CertPath p1) {}
 native boolean equals(java.lang.Object p0);
 native int hashCode();
 native java.lang.String toString();
 native java.security.cert.CertPath getSignerCertPath();
 native java.util.Date getTimestamp();
}
class URIParameter implements java.security.Policy.Parameters, javax.security.auth.login.Configuration.Parameters {
 URIParameter(java.net.URI p0) {}
 native java.net.URI getURI();
}
class UnrecoverableEntryException extends java.security.GeneralSecurityException {
 UnrecoverableEntryException() {}
 UnrecoverableEntryException(java.lang.String p0) {}
}
class UnrecoverableKeyException extends java.security.UnrecoverableEntryException {
 UnrecoverableKeyException() {}
 UnrecoverableKeyException(java.lang.String p0) {}
}
class UnresolvedPermission extends java.security.Permission implements java.io.Serializable {
 UnresolvedPermission(java.lang.String p0, java.lang.String p1, java.lang.String p2, java.security.cert.Certificate[] p3) {}
 native boolean equals(java.lang.Object p0);
 native boolean implies(java.security.Permission p0);
 native int hashCode();
 native java.lang.String getActions();
 native java.lang.String getUnresolvedActions();
 native java.lang.String getUnresolvedName();
 native java.lang.String getUnresolvedType();
 native java.lang.String toString();
 native java.security.PermissionCollection newPermissionCollection();
 native java.security.cert.Certificate[] getUnresolvedCerts();
}
