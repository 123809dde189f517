package java.net;
abstract class Authenticator {
 Authenticator() {}
 native final int getRequestingPort();
 native final java.lang.String getRequestingHost();
 native final java.lang.String getRequestingPrompt();
 native final java.lang.String getRequestingProtocol();
 native final java.lang.String getRequestingScheme();
 native final java.net.InetAddress getRequestingSite();
 native java.net.Authenticator.RequestorType getRequestorType();
 native java.net.PasswordAuthentication getPasswordAuthentication();
 native java.net.URL getRequestingURL();
 native java.net.PasswordAuthentication requestPasswordAuthenticationInstance(java.lang.String p0, java.net.InetAddress p1, int p2, java.lang.String p3, java.lang.String p4, java.lang.String p5, java.net.URL p6, java.net.Authenticator.RequestorType p7);
 static native java.net.Authenticator getDefault();
 static native java.net.PasswordAuthentication requestPasswordAuthentication(java.lang.String p0, java.net.InetAddress p1, int p2, java.lang.String p3, java.lang.String p4, java.lang.String p5);
 static native java.net.PasswordAuthentication requestPasswordAuthentication(java.lang.String p0, java.net.InetAddress p1, int p2, java.lang.String p3, java.lang.String p4, java.lang.String p5, java.net.URL p6, java.net.Authenticator.RequestorType p7);
 static native java.net.PasswordAuthentication requestPasswordAuthentication(java.net.Authenticator p0, java.lang.String p1, java.net.InetAddress p2, int p3, java.lang.String p4, java.lang.String p5, java.lang.String p6, java.net.URL p7, java.net.Authenticator.RequestorType p8);
 static native java.net.PasswordAuthentication requestPasswordAuthentication(java.net.InetAddress p0, int p1, java.lang.String p2, java.lang.String p3, java.lang.String p4);
 static native void setDefault(java.net.Authenticator p0);
 static enum RequestorType {
  PROXY, SERVER;
 }
}
class BindException extends java.net.SocketException {
 BindException() {}
 BindException(java.lang.String p0) {}
}
abstract class CacheRequest {
 CacheRequest() {}
 abstract java.io.OutputStream getBody();
 abstract void abort();
}
abstract class CacheResponse {
 CacheResponse() {}
 abstract java.io.InputStream getBody();
 abstract java.util.Map<java.lang.String, java.util.List<java.lang.String>> getHeaders();
}
class ConnectException extends java.net.SocketException {
 ConnectException() {}
 ConnectException(java.lang.String p0) {}
}
abstract class ContentHandler {
 ContentHandler() {}
 abstract java.lang.Object getContent(java.net.URLConnection p0);
 native java.lang.Object getContent(java.net.URLConnection p0, java.lang.Class[] p1);
}
interface ContentHandlerFactory {
 java.net.ContentHandler createContentHandler(java.lang.String p0);
}
abstract class CookieHandler {
 CookieHandler() {}
 abstract java.util.Map<java.lang.String, java.util.List<java.lang.String>> get(java.net.URI p0, java.util.Map<java.lang.String, java.util.List<java.lang.String>> p1);
 abstract void put(java.net.URI p0, java.util.Map<java.lang.String, java.util.List<java.lang.String>> p1);
 static native java.net.CookieHandler getDefault();
 static native void setDefault(java.net.CookieHandler p0);
}
class CookieManager extends java.net.CookieHandler {
 CookieManager() {}
 CookieManager(java.net.CookieStore p0, java.net.CookiePolicy p1) {}
 native java.net.CookieStore getCookieStore();
 native java.util.Map<java.lang.String, java.util.List<java.lang.String>> get(java.net.URI p0, java.util.Map<java.lang.String, java.util.List<java.lang.String>> p1);
 native void put(java.net.URI p0, java.util.Map<java.lang.String, java.util.List<java.lang.String>> p1);
 native void setCookiePolicy(java.net.CookiePolicy p0);
}
interface CookiePolicy {
 static java.net.CookiePolicy ACCEPT_ALL;
 static java.net.CookiePolicy ACCEPT_NONE;
 static java.net.CookiePolicy ACCEPT_ORIGINAL_SERVER;
 boolean shouldAccept(java.net.URI p0, java.net.HttpCookie p1);
}
interface CookieStore {
 boolean remove(java.net.URI p0, java.net.HttpCookie p1);
 boolean removeAll();
 java.util.List<java.net.HttpCookie> get(java.net.URI p0);
 java.util.List<java.net.HttpCookie> getCookies();
 java.util.List<java.net.URI> getURIs();
 void add(java.net.URI p0, java.net.HttpCookie p1);
}
class DatagramPacket {
 DatagramPacket(byte[] p0, int p1) {}
 DatagramPacket(byte[] p0, int p1, int p2) {}
 DatagramPacket(byte[] p0, int p1, int p2, java.net.InetAddress p3, int p4) {}
 DatagramPacket(byte[] p0, int p1, int p2, java.net.SocketAddress p3) {}
 DatagramPacket(byte[] p0, int p1, java.net.InetAddress p2, int p3) {}
 DatagramPacket(byte[] p0, int p1, java.net.SocketAddress p2) {}
 native byte[] getData();
 native int getLength();
 native int getOffset();
 native int getPort();
 native java.net.InetAddress getAddress();
 native java.net.SocketAddress getSocketAddress();
 native void setAddress(java.net.InetAddress p0);
 native void setData(byte[] p0);
 native void setData(byte[] p0, int p1, int p2);
 native void setLength(int p0);
 native void setPort(int p0);
 native void setSocketAddress(java.net.SocketAddress p0);
}
class DatagramSocket implements java.io.Closeable {
 DatagramSocket(java.net.DatagramSocketImpl p0) {}
 DatagramSocket() {}
 DatagramSocket(int p0) {}
 DatagramSocket(int p0, java.net.InetAddress p1) {}
 DatagramSocket(java.net.SocketAddress p0) {}
 native boolean getBroadcast();
 native boolean getReuseAddress();
 native boolean isBound();
 native boolean isClosed();
 native boolean isConnected();
 native int getLocalPort();
 native int getPort();
 native int getReceiveBufferSize();
 native int getSendBufferSize();
 native int getSoTimeout();
 native int getTrafficClass();
 native <T> T getOption(java.net.SocketOption<T> p0);
 native <T> java.net.DatagramSocket setOption(java.net.SocketOption<T> p0, T p1);
 native java.net.InetAddress getInetAddress();
 native java.net.InetAddress getLocalAddress();
 native java.net.SocketAddress getLocalSocketAddress();
 native java.net.SocketAddress getRemoteSocketAddress();
 native java.nio.channels.DatagramChannel getChannel();
 native java.util.Set<java.net.SocketOption<?>> supportedOptions();
 static native void setDatagramSocketImplFactory(java.net.DatagramSocketImplFactory p0);
 native void bind(java.net.SocketAddress p0);
 native void close();
 native void connect(java.net.InetAddress p0, int p1);
 native void connect(java.net.SocketAddress p0);
 native void disconnect();
 native void joinGroup(java.net.SocketAddress p0, java.net.NetworkInterface p1);
 native void leaveGroup(java.net.SocketAddress p0, java.net.NetworkInterface p1);
 native void receive(java.net.DatagramPacket p0);
 native void send(java.net.DatagramPacket p0);
 native void setBroadcast(boolean p0);
 native void setReceiveBufferSize(int p0);
 native void setReuseAddress(boolean p0);
 native void setSendBufferSize(int p0);
 native void setSoTimeout(int p0);
 native void setTrafficClass(int p0);
}
abstract class DatagramSocketImpl implements java.net.SocketOptions {
 int localPort;
 java.io.FileDescriptor fd;
 DatagramSocketImpl() {}
 abstract byte getTTL();
 abstract int getTimeToLive();
 abstract int peek(java.net.InetAddress p0);
 abstract int peekData(java.net.DatagramPacket p0);
 abstract void bind(int p0, java.net.InetAddress p1);
 abstract void close();
 abstract void create();
 abstract void join(java.net.InetAddress p0);
 abstract void joinGroup(java.net.SocketAddress p0, java.net.NetworkInterface p1);
 abstract void leave(java.net.InetAddress p0);
 abstract void leaveGroup(java.net.SocketAddress p0, java.net.NetworkInterface p1);
 abstract void receive(java.net.DatagramPacket p0);
 abstract void send(java.net.DatagramPacket p0);
 abstract void setTTL(byte p0);
 abstract void setTimeToLive(int p0);
 native int getLocalPort();
 native java.io.FileDescriptor getFileDescriptor();
 native <T> T getOption(java.net.SocketOption<T> p0);
 native java.util.Set<java.net.SocketOption<?>> supportedOptions();
 native void connect(java.net.InetAddress p0, int p1);
 native void disconnect();
 native <T> void setOption(java.net.SocketOption<T> p0, T p1);
}
interface DatagramSocketImplFactory {
 java.net.DatagramSocketImpl createDatagramSocketImpl();
}
interface FileNameMap {
 java.lang.String getContentTypeFor(java.lang.String p0);
}
class HttpCookie implements java.lang.Cloneable {
 HttpCookie(java.lang.String p0, java.lang.String p1) {}
 native boolean equals(java.lang.Object p0);
 native boolean getDiscard();
 native boolean getSecure();
 native boolean hasExpired();
 native boolean isHttpOnly();
 native int getVersion();
 native int hashCode();
 native java.lang.Object clone();
 native java.lang.String getComment();
 native java.lang.String getCommentURL();
 native java.lang.String getDomain();
 native java.lang.String getName();
 native java.lang.String getPath();
 native java.lang.String getPortlist();
 native java.lang.String getValue();
 native java.lang.String toString();
 native long getMaxAge();
 static native boolean domainMatches(java.lang.String p0, java.lang.String p1);
 static native java.util.List<java.net.HttpCookie> parse(java.lang.String p0);
 native void setComment(java.lang.String p0);
 native void setCommentURL(java.lang.String p0);
 native void setDiscard(boolean p0);
 native void setDomain(java.lang.String p0);
 native void setHttpOnly(boolean p0);
 native void setMaxAge(long p0);
 native void setPath(java.lang.String p0);
 native void setPortlist(java.lang.String p0);
 native void setSecure(boolean p0);
 native void setValue(java.lang.String p0);
 native void setVersion(int p0);
}
class HttpRetryException extends java.io.IOException {
 HttpRetryException(java.lang.String p0, int p1) {}
 HttpRetryException(java.lang.String p0, int p1, java.lang.String p2) {}
 native int responseCode();
 native java.lang.String getLocation();
 native java.lang.String getReason();
}
abstract class HttpURLConnection extends java.net.URLConnection {
 boolean instanceFollowRedirects;
 int chunkLength;
 int fixedContentLength;
 int responseCode;
 java.lang.String method;
 java.lang.String responseMessage;
 long fixedContentLengthLong;
 static int HTTP_ACCEPTED;
 static int HTTP_BAD_GATEWAY;
 static int HTTP_BAD_METHOD;
 static int HTTP_BAD_REQUEST;
 static int HTTP_CLIENT_TIMEOUT;
 static int HTTP_CONFLICT;
 static int HTTP_CREATED;
 static int HTTP_ENTITY_TOO_LARGE;
 static int HTTP_FORBIDDEN;
 static int HTTP_GATEWAY_TIMEOUT;
 static int HTTP_GONE;
 static int HTTP_INTERNAL_ERROR;
 static int HTTP_LENGTH_REQUIRED;
 static int HTTP_MOVED_PERM;
 static int HTTP_MOVED_TEMP;
 static int HTTP_MULT_CHOICE;
 static int HTTP_NOT_ACCEPTABLE;
 static int HTTP_NOT_AUTHORITATIVE;
 static int HTTP_NOT_FOUND;
 static int HTTP_NOT_IMPLEMENTED;
 static int HTTP_NOT_MODIFIED;
 static int HTTP_NO_CONTENT;
 static int HTTP_OK;
 static int HTTP_PARTIAL;
 static int HTTP_PAYMENT_REQUIRED;
 static int HTTP_PRECON_FAILED;
 static int HTTP_PROXY_AUTH;
 static int HTTP_REQ_TOO_LONG;
 static int HTTP_RESET;
 static int HTTP_SEE_OTHER;
 static int HTTP_SERVER_ERROR;
 static int HTTP_UNAUTHORIZED;
 static int HTTP_UNAVAILABLE;
 static int HTTP_UNSUPPORTED_TYPE;
 static int HTTP_USE_PROXY;
 static int HTTP_VERSION;
 HttpURLConnection(java.net.URL p0) {}
 abstract boolean usingProxy();
 abstract void disconnect();
 native boolean getInstanceFollowRedirects();
 native int getResponseCode();
 native java.io.InputStream getErrorStream();
 native java.lang.String getHeaderField(int p0);
 native java.lang.String getHeaderFieldKey(int p0);
 native java.lang.String getRequestMethod();
 native java.lang.String getResponseMessage();
 native java.security.Permission getPermission();
 native long getHeaderFieldDate(java.lang.String p0, long p1);
 static native boolean getFollowRedirects();
 static native void setFollowRedirects(boolean p0);
 native void setAuthenticator(java.net.Authenticator p0);
 native void setChunkedStreamingMode(int p0);
 native void setFixedLengthStreamingMode(int p0);
 native void setFixedLengthStreamingMode(long p0);
 native void setInstanceFollowRedirects(boolean p0);
 native void setRequestMethod(java.lang.String p0);
}
class IDN {
 static int ALLOW_UNASSIGNED;
 static int USE_STD3_ASCII_RULES;
 static native java.lang.String toASCII(java.lang.String p0);
 static native java.lang.String toASCII(java.lang.String p0, int p1);
 static native java.lang.String toUnicode(java.lang.String p0);
 static native java.lang.String toUnicode(java.lang.String p0, int p1);
}
class Inet4Address extends java.net.InetAddress {
 native boolean equals(java.lang.Object p0);
 native boolean isAnyLocalAddress();
 native boolean isLinkLocalAddress();
 native boolean isLoopbackAddress();
 native boolean isMCGlobal();
 native boolean isMCLinkLocal();
 native boolean isMCNodeLocal();
 native boolean isMCOrgLocal();
 native boolean isMCSiteLocal();
 native boolean isMulticastAddress();
 native boolean isSiteLocalAddress();
 native byte[] getAddress();
 native int hashCode();
 native java.lang.String getHostAddress();
}
class Inet6Address extends java.net.InetAddress {
 native boolean equals(java.lang.Object p0);
 native boolean isAnyLocalAddress();
 native boolean isIPv4CompatibleAddress();
 native boolean isLinkLocalAddress();
 native boolean isLoopbackAddress();
 native boolean isMCGlobal();
 native boolean isMCLinkLocal();
 native boolean isMCNodeLocal();
 native boolean isMCOrgLocal();
 native boolean isMCSiteLocal();
 native boolean isMulticastAddress();
 native boolean isSiteLocalAddress();
 native byte[] getAddress();
 native int getScopeId();
 native int hashCode();
 native java.lang.String getHostAddress();
 native java.net.NetworkInterface getScopedInterface();
 static native java.net.Inet6Address getByAddress(java.lang.String p0, byte[] p1, int p2);
 static native java.net.Inet6Address getByAddress(java.lang.String p0, byte[] p1, java.net.NetworkInterface p2);
}
class InetAddress implements java.io.Serializable {
 native boolean equals(java.lang.Object p0);
 native boolean isAnyLocalAddress();
 native boolean isLinkLocalAddress();
 native boolean isLoopbackAddress();
 native boolean isMCGlobal();
 native boolean isMCLinkLocal();
 native boolean isMCNodeLocal();
 native boolean isMCOrgLocal();
 native boolean isMCSiteLocal();
 native boolean isMulticastAddress();
 native boolean isReachable(int p0);
 native boolean isReachable(java.net.NetworkInterface p0, int p1, int p2);
 native boolean isSiteLocalAddress();
 native byte[] getAddress();
 native int hashCode();
 native java.lang.String getCanonicalHostName();
 native java.lang.String getHostAddress();
 native java.lang.String getHostName();
 native java.lang.String toString();
 static native java.net.InetAddress getByAddress(byte[] p0);
 static native java.net.InetAddress getByAddress(java.lang.String p0, byte[] p1);
 static native java.net.InetAddress getByName(java.lang.String p0);
 static native java.net.InetAddress getLocalHost();
 static native java.net.InetAddress getLoopbackAddress();
 static native java.net.InetAddress[] getAllByName(java.lang.String p0);
}
class InetSocketAddress extends java.net.SocketAddress {
 InetSocketAddress(int p0) {}
 InetSocketAddress(java.lang.String p0, int p1) {}
 InetSocketAddress(java.net.InetAddress p0, int p1) {}
 native final boolean equals(java.lang.Object p0);
 native final boolean isUnresolved();
 native final int getPort();
 native final int hashCode();
 native final java.lang.String getHostName();
 native final java.lang.String getHostString();
 native final java.net.InetAddress getAddress();
 native java.lang.String toString();
 static native java.net.InetSocketAddress createUnresolved(java.lang.String p0, int p1);
}
class InterfaceAddress {
 native boolean equals(java.lang.Object p0);
 native int hashCode();
 native java.lang.String toString();
 native java.net.InetAddress getAddress();
 native java.net.InetAddress getBroadcast();
 native short getNetworkPrefixLength();
}
abstract class JarURLConnection extends java.net.URLConnection {
 java.net.URLConnection jarFileURLConnection;
 JarURLConnection(java.net.URL p0) {}
 abstract java.util.jar.JarFile getJarFile();
 native java.lang.String getEntryName();
 native java.net.URL getJarFileURL();
 native java.security.cert.Certificate[] getCertificates();
 native java.util.jar.Attributes getAttributes();
 native java.util.jar.Attributes getMainAttributes();
 native java.util.jar.JarEntry getJarEntry();
 native java.util.jar.Manifest getManifest();
}
class MalformedURLException extends java.io.IOException {
 MalformedURLException() {}
 MalformedURLException(java.lang.String p0) {}
}
class MulticastSocket extends java.net.DatagramSocket {
 MulticastSocket() {}
 MulticastSocket(int p0) {}
 MulticastSocket(java.net.SocketAddress p0) {}
 native boolean getLoopbackMode();
 native byte getTTL();
 native int getTimeToLive();
 native java.net.InetAddress getInterface();
 native java.net.NetworkInterface getNetworkInterface();
 native void joinGroup(java.net.InetAddress p0);
 native void joinGroup(java.net.SocketAddress p0, java.net.NetworkInterface p1);
 native void leaveGroup(java.net.InetAddress p0);
 native void leaveGroup(java.net.SocketAddress p0, java.net.NetworkInterface p1);
 native void send(java.net.DatagramPacket p0, byte p1);
 native void setInterface(java.net.InetAddress p0);
 native void setLoopbackMode(boolean p0);
 native void setNetworkInterface(java.net.NetworkInterface p0);
 native void setTTL(byte p0);
 native void setTimeToLive(int p0);
}
class NetPermission extends java.security.BasicPermission {
 NetPermission(java.lang.String p0) {}
 NetPermission(java.lang.String p0, java.lang.String p1) {}
}
class NetworkInterface {
 native boolean equals(java.lang.Object p0);
 native boolean isLoopback();
 native boolean isPointToPoint();
 native boolean isUp();
 native boolean isVirtual();
 native boolean supportsMulticast();
 native byte[] getHardwareAddress();
 native int getIndex();
 native int getMTU();
 native int hashCode();
 native java.lang.String getDisplayName();
 native java.lang.String getName();
 native java.lang.String toString();
 native java.net.NetworkInterface getParent();
 native java.util.Enumeration<java.net.InetAddress> getInetAddresses();
 native java.util.Enumeration<java.net.NetworkInterface> getSubInterfaces();
 native java.util.List<java.net.InterfaceAddress> getInterfaceAddresses();
 native java.util.stream.Stream<java.net.InetAddress> inetAddresses();
 native java.util.stream.Stream<java.net.NetworkInterface> subInterfaces();
 static native java.net.NetworkInterface getByIndex(int p0);
 static native java.net.NetworkInterface getByInetAddress(java.net.InetAddress p0);
 static native java.net.NetworkInterface getByName(java.lang.String p0);
 static native java.util.Enumeration<java.net.NetworkInterface> getNetworkInterfaces();
 static native java.util.stream.Stream<java.net.NetworkInterface> networkInterfaces();
}
class NoRouteToHostException extends java.net.SocketException {
 NoRouteToHostException() {}
 NoRouteToHostException(java.lang.String p0) {}
}
class PasswordAuthentication {
 PasswordAuthentication(java.lang.String p0, char[] p1) {}
 native char[] getPassword();
 native java.lang.String getUserName();
}
class PortUnreachableException extends java.net.SocketException {
 PortUnreachableException() {}
 PortUnreachableException(java.lang.String p0) {}
}
class ProtocolException extends java.io.IOException {
 ProtocolException() {}
 ProtocolException(java.lang.String p0) {}
}
interface ProtocolFamily {
 java.lang.String name();
}
class Proxy {
 static java.net.Proxy NO_PROXY;
 Proxy(java.net.Proxy.Type p0, java.net.SocketAddress p1) {}
 native final boolean equals(java.lang.Object p0);
 native final int hashCode();
 native java.lang.String toString();
 native java.net.Proxy.Type type();
 native java.net.SocketAddress address();
 static enum Type {
  DIRECT, HTTP, SOCKS;
 }
}
abstract class ProxySelector {
 ProxySelector() {}
 abstract java.util.List<java.net.Proxy> select(java.net.URI p0);
 abstract void connectFailed(java.net.URI p0, java.net.SocketAddress p1, java.io.IOException p2);
 static native java.net.ProxySelector getDefault();
 static native java.net.ProxySelector of(java.net.InetSocketAddress p0);
 static native void setDefault(java.net.ProxySelector p0);
}
abstract class ResponseCache {
 ResponseCache() {}
 abstract java.net.CacheRequest put(java.net.URI p0, java.net.URLConnection p1);
 abstract java.net.CacheResponse get(java.net.URI p0, java.lang.String p1, java.util.Map<java.lang.String, java.util.List<java.lang.String>> p2);
 static native java.net.ResponseCache getDefault();
 static native void setDefault(java.net.ResponseCache p0);
}
abstract class SecureCacheResponse extends java.net.CacheResponse {
 SecureCacheResponse() {}
 abstract java.lang.String getCipherSuite();
 abstract java.security.Principal getLocalPrincipal();
 abstract java.security.Principal getPeerPrincipal();
 abstract java.util.List<java.security.cert.Certificate> getLocalCertificateChain();
 abstract java.util.List<java.security.cert.Certificate> getServerCertificateChain();
 native java.util.Optional<javax.net.ssl.SSLSession> getSSLSession();
}
class ServerSocket implements java.io.Closeable {
 ServerSocket(java.net.SocketImpl p0) {}
 ServerSocket() {}
 ServerSocket(int p0) {}
 ServerSocket(int p0, int p1) {}
 ServerSocket(int p0, int p1, java.net.InetAddress p2) {}
 native final void implAccept(java.net.Socket p0);
 native boolean getReuseAddress();
 native boolean isBound();
 native boolean isClosed();
 native int getLocalPort();
 native <T> T getOption(java.net.SocketOption<T> p0);
 native java.lang.String toString();
 native java.net.InetAddress getInetAddress();
 native <T> java.net.ServerSocket setOption(java.net.SocketOption<T> p0, T p1);
 native java.net.Socket accept();
 native java.net.SocketAddress getLocalSocketAddress();
 native java.nio.channels.ServerSocketChannel getChannel();
 native java.util.Set<java.net.SocketOption<?>> supportedOptions();
 static native void setSocketFactory(java.net.SocketImplFactory p0);
 native int getReceiveBufferSize();
 native int getSoTimeout();
 native void setReceiveBufferSize(int p0);
 native void setSoTimeout(int p0);
 native void bind(java.net.SocketAddress p0);
 native void bind(java.net.SocketAddress p0, int p1);
 native void close();
 native void setPerformancePreferences(int p0, int p1, int p2);
 native void setReuseAddress(boolean p0);
}
class Socket implements java.io.Closeable {
 Socket(java.net.SocketImpl p0) {}
 Socket() {}
 Socket(java.lang.String p0, int p1) {}
 Socket(java.lang.String p0, int p1, boolean p2) {}
 Socket(java.lang.String p0, int p1, java.net.InetAddress p2, int p3) {}
 Socket(java.net.InetAddress p0, int p1) {}
 Socket(java.net.InetAddress p0, int p1, boolean p2) {}
 Socket(java.net.InetAddress p0, int p1, java.net.InetAddress p2, int p3) {}
 Socket(java.net.Proxy p0) {}
 native boolean getKeepAlive();
 native boolean getOOBInline();
 native boolean getReuseAddress();
 native boolean getTcpNoDelay();
 native boolean isBound();
 native boolean isClosed();
 native boolean isConnected();
 native boolean isInputShutdown();
 native boolean isOutputShutdown();
 native int getLocalPort();
 native int getPort();
 native int getSoLinger();
 native int getTrafficClass();
 native java.io.InputStream getInputStream();
 native java.io.OutputStream getOutputStream();
 native <T> T getOption(java.net.SocketOption<T> p0);
 native java.lang.String toString();
 native java.net.InetAddress getInetAddress();
 native java.net.InetAddress getLocalAddress();
 native <T> java.net.Socket setOption(java.net.SocketOption<T> p0, T p1);
 native java.net.SocketAddress getLocalSocketAddress();
 native java.net.SocketAddress getRemoteSocketAddress();
 native java.nio.channels.SocketChannel getChannel();
 native java.util.Set<java.net.SocketOption<?>> supportedOptions();
 static native void setSocketImplFactory(java.net.SocketImplFactory p0);
 native int getReceiveBufferSize();
 native int getSendBufferSize();
 native int getSoTimeout();
 native void close();
 native void setReceiveBufferSize(int p0);
 native void setSendBufferSize(int p0);
 native void setSoTimeout(int p0);
 native void bind(java.net.SocketAddress p0);
 native void connect(java.net.SocketAddress p0);
 native void connect(java.net.SocketAddress p0, int p1);
 native void sendUrgentData(int p0);
 native void setKeepAlive(boolean p0);
 native void setOOBInline(boolean p0);
 native void setPerformancePreferences(int p0, int p1, int p2);
 native void setReuseAddress(boolean p0);
 native void setSoLinger(boolean p0, int p1);
 native void setTcpNoDelay(boolean p0);
 native void setTrafficClass(int p0);
 native void shutdownInput();
 native void shutdownOutput();
}
abstract class SocketAddress implements java.io.Serializable {
 SocketAddress() {}
}
class SocketException extends java.io.IOException {
 SocketException() {}
 SocketException(java.lang.String p0) {}
}
abstract class SocketImpl implements java.net.SocketOptions {
 int localport;
 int port;
 java.io.FileDescriptor fd;
 java.net.InetAddress address;
 SocketImpl() {}
 abstract int available();
 abstract java.io.InputStream getInputStream();
 abstract java.io.OutputStream getOutputStream();
 abstract void accept(java.net.SocketImpl p0);
 abstract void bind(java.net.InetAddress p0, int p1);
 abstract void close();
 abstract void connect(java.lang.String p0, int p1);
 abstract void connect(java.net.InetAddress p0, int p1);
 abstract void connect(java.net.SocketAddress p0, int p1);
 abstract void create(boolean p0);
 abstract void listen(int p0);
 abstract void sendUrgentData(int p0);
 native boolean supportsUrgentData();
 native int getLocalPort();
 native int getPort();
 native java.io.FileDescriptor getFileDescriptor();
 native <T> T getOption(java.net.SocketOption<T> p0);
 native java.net.InetAddress getInetAddress();
 native java.util.Set<java.net.SocketOption<?>> supportedOptions();
 native <T> void setOption(java.net.SocketOption<T> p0, T p1);
 native void setPerformancePreferences(int p0, int p1, int p2);
 native void shutdownInput();
 native void shutdownOutput();
 native java.lang.String toString();
}
interface SocketImplFactory {
 java.net.SocketImpl createSocketImpl();
}
interface SocketOption<T>  {
 java.lang.Class<T> type();
 java.lang.String name();
}
interface SocketOptions {
 static int IP_MULTICAST_IF;
 static int IP_MULTICAST_IF2;
 static int IP_MULTICAST_LOOP;
 static int IP_TOS;
 static int SO_BINDADDR;
 static int SO_BROADCAST;
 static int SO_KEEPALIVE;
 static int SO_LINGER;
 static int SO_OOBINLINE;
 static int SO_RCVBUF;
 static int SO_REUSEADDR;
 static int SO_REUSEPORT;
 static int SO_SNDBUF;
 static int SO_TIMEOUT;
 static int TCP_NODELAY;
 java.lang.Object getOption(int p0);
 void setOption(int p0, java.lang.Object p1);
}
class SocketPermission extends java.security.Permission implements java.io.Serializable {
 SocketPermission(java.lang.String p0, java.lang.String p1) {}
 native boolean equals(java.lang.Object p0);
 native boolean implies(java.security.Permission p0);
 native int hashCode();
 native java.lang.String getActions();
 native java.security.PermissionCollection newPermissionCollection();
}
class SocketTimeoutException extends java.io.InterruptedIOException {
 SocketTimeoutException() {}
 SocketTimeoutException(java.lang.String p0) {}
}
enum StandardProtocolFamily implements java.net.ProtocolFamily {
 INET, INET6, UNIX;
}
class StandardSocketOptions {
 static java.net.SocketOption<java.net.NetworkInterface> IP_MULTICAST_IF;
 static java.net.SocketOption<java.lang.Boolean> IP_MULTICAST_LOOP;
 static java.net.SocketOption<java.lang.Integer> IP_MULTICAST_TTL;
 static java.net.SocketOption<java.lang.Integer> IP_TOS;
 static java.net.SocketOption<java.lang.Boolean> SO_BROADCAST;
 static java.net.SocketOption<java.lang.Boolean> SO_KEEPALIVE;
 static java.net.SocketOption<java.lang.Integer> SO_LINGER;
 static java.net.SocketOption<java.lang.Integer> SO_RCVBUF;
 static java.net.SocketOption<java.lang.Boolean> SO_REUSEADDR;
 static java.net.SocketOption<java.lang.Boolean> SO_REUSEPORT;
 static java.net.SocketOption<java.lang.Integer> SO_SNDBUF;
 static java.net.SocketOption<java.lang.Boolean> TCP_NODELAY;
}
class URI implements java.lang.Comparable<java.net.URI>, java.io.Serializable {
 URI(java.lang.String p0) {}
 URI(java.lang.String p0, java.lang.String p1, java.lang.String p2) {}
 URI(java.lang.String p0, java.lang.String p1, java.lang.String p2, int p3, java.lang.String p4, java.lang.String p5, java.lang.String p6) {}
 URI(java.lang.String p0, java.lang.String p1, java.lang.String p2, java.lang.String p3) {}
 URI(java.lang.String p0, java.lang.String p1, java.lang.String p2, java.lang.String p3, java.lang.String p4) {}
 native boolean equals(java.lang.Object p0);
 native boolean isAbsolute();
 native boolean isOpaque();
 native int compareTo(java.net.URI p0);
 native int getPort();
 native int hashCode();
 native java.lang.String getAuthority();
 native java.lang.String getFragment();
 native java.lang.String getHost();
 native java.lang.String getPath();
 native java.lang.String getQuery();
 native java.lang.String getRawAuthority();
 native java.lang.String getRawFragment();
 native java.lang.String getRawPath();
 native java.lang.String getRawQuery();
 native java.lang.String getRawSchemeSpecificPart();
 native java.lang.String getRawUserInfo();
 native java.lang.String getScheme();
 native java.lang.String getSchemeSpecificPart();
 native java.lang.String getUserInfo();
 native java.lang.String toASCIIString();
 native java.lang.String toString();
 native java.net.URI normalize();
 native java.net.URI parseServerAuthority();
 native java.net.URI relativize(java.net.URI p0);
 native java.net.URI resolve(java.lang.String p0);
 native java.net.URI resolve(java.net.URI p0);
 native java.net.URL toURL();
 static native java.net.URI create(java.lang.String p0);
}
class URISyntaxException extends java.lang.Exception {
 URISyntaxException(java.lang.String p0, java.lang.String p1) {}
 URISyntaxException(java.lang.String p0, java.lang.String p1, int p2) {}
 native int getIndex();
 native java.lang.String getInput();
 native java.lang.String getMessage();
 native java.lang.String getReason();
}
class URL implements java.io.Serializable {
 URL(java.lang.String p0) {}
 URL(java.lang.String p0, java.lang.String p1, int p2, java.lang.String p3) {}
 URL(java.lang.String p0, java.lang.String p1, int p2, java.lang.String p3, java.net.URLStreamHandler p4) {}
 URL(java.lang.String p0, java.lang.String p1, java.lang.String p2) {}
 URL(java.net.URL p0, java.lang.String p1) {}
 URL(java.net.URL p0, java.lang.String p1, java.net.URLStreamHandler p2) {}
 native boolean equals(java.lang.Object p0);
 native boolean sameFile(java.net.URL p0);
 native final java.io.InputStream openStream();
 native final java.lang.Object getContent();
 native final java.lang.Object getContent(java.lang.Class<?>[] p0);
 native int getDefaultPort();
 native int getPort();
 native java.lang.String getAuthority();
 native java.lang.String getFile();
 native java.lang.String getHost();
 native java.lang.String getPath();
 native java.lang.String getProtocol();
 native java.lang.String getQuery();
 native java.lang.String getRef();
 native java.lang.String getUserInfo();
 native java.lang.String toExternalForm();
 native java.lang.String toString();
 native java.net.URI toURI();
 native java.net.URLConnection openConnection();
 native java.net.URLConnection openConnection(java.net.Proxy p0);
 static native void setURLStreamHandlerFactory(java.net.URLStreamHandlerFactory p0);
 native int hashCode();
}
class URLClassLoader extends java.security.SecureClassLoader implements java.io.Closeable {
 URLClassLoader(java.lang.String p0, java.net.URL[] p1, java.lang.ClassLoader p2) {}
 URLClassLoader(java.lang.String p0, java.net.URL[] p1, java.lang.ClassLoader p2, java.net.URLStreamHandlerFactory p3) {}
 URLClassLoader(java.net.URL[] p0) {}
 URLClassLoader(java.net.URL[] p0, java.lang.ClassLoader p1) {}
 URLClassLoader(java.net.URL[] p0, java.lang.ClassLoader p1, java.net.URLStreamHandlerFactory p2) {}
 native java.lang.Class<?> findClass(java.lang.String p0);
 native java.lang.Package definePackage(java.lang.String p0, java.util.jar.Manifest p1, java.net.URL p2);
 native java.security.PermissionCollection getPermissions(java.security.CodeSource p0);
 native void addURL(java.net.URL p0);
 native java.io.InputStream getResourceAsStream(java.lang.String p0);
 native java.net.URL findResource(java.lang.String p0);
 native java.net.URL[] getURLs();
 native java.util.Enumeration<java.net.URL> findResources(java.lang.String p0);
 static native java.net.URLClassLoader newInstance(java.net.URL[] p0);
 static native java.net.URLClassLoader newInstance(java.net.URL[] p0, java.lang.ClassLoader p1);
 native void close();
}
abstract class URLConnection {
 boolean allowUserInteraction;
 boolean connected;
 boolean doInput;
 boolean doOutput;
 boolean useCaches;
 java.net.URL url;
 long ifModifiedSince;
 URLConnection(java.net.URL p0) {}
 abstract void connect();
 native boolean getAllowUserInteraction();
 native boolean getDefaultUseCaches();
 native boolean getDoInput();
 native boolean getDoOutput();
 native boolean getUseCaches();
 native int getConnectTimeout();
 native int getContentLength();
 native int getHeaderFieldInt(java.lang.String p0, int p1);
 native int getReadTimeout();
 native java.io.InputStream getInputStream();
 native java.io.OutputStream getOutputStream();
 native java.lang.Object getContent();
 native java.lang.Object getContent(java.lang.Class<?>[] p0);
 native java.lang.String getContentEncoding();
 native java.lang.String getContentType();
 native java.lang.String getHeaderField(int p0);
 native java.lang.String getHeaderField(java.lang.String p0);
 native java.lang.String getHeaderFieldKey(int p0);
 native java.lang.String getRequestProperty(java.lang.String p0);
 native java.lang.String toString();
 native java.net.URL getURL();
 native java.security.Permission getPermission();
 native java.util.Map<java.lang.String, java.util.List<java.lang.String>> getHeaderFields();
 native java.util.Map<java.lang.String, java.util.List<java.lang.String>> getRequestProperties();
 native long getContentLengthLong();
 native long getDate();
 native long getExpiration();
 native long getHeaderFieldDate(java.lang.String p0, long p1);
 native long getHeaderFieldLong(java.lang.String p0, long p1);
 native long getIfModifiedSince();
 native long getLastModified();
 static native boolean getDefaultAllowUserInteraction();
 static native boolean getDefaultUseCaches(java.lang.String p0);
 static native java.lang.String getDefaultRequestProperty(java.lang.String p0);
 static native java.lang.String guessContentTypeFromName(java.lang.String p0);
 static native java.lang.String guessContentTypeFromStream(java.io.InputStream p0);
 static native java.net.FileNameMap getFileNameMap();
 static native void setContentHandlerFactory(java.net.ContentHandlerFactory p0);
 static native void setDefaultAllowUserInteraction(boolean p0);
 static native void setDefaultRequestProperty(java.lang.String p0, java.lang.String p1);
 static native void setDefaultUseCaches(java.lang.String p0, boolean p1);
 static native void setFileNameMap(java.net.FileNameMap p0);
 native void addRequestProperty(java.lang.String p0, java.lang.String p1);
 native void setAllowUserInteraction(boolean p0);
 native void setConnectTimeout(int p0);
 native void setDefaultUseCaches(boolean p0);
 native void setDoInput(boolean p0);
 native void setDoOutput(boolean p0);
 native void setIfModifiedSince(long p0);
 native void setReadTimeout(int p0);
 native void setRequestProperty(java.lang.String p0, java.lang.String p1);
 native void setUseCaches(boolean p0);
}
class URLDecoder {
 static native java.lang.String decode(java.lang.String p0);
 static native java.lang.String decode(java.lang.String p0, java.lang.String p1);
 static native java.lang.String decode(java.lang.String p0, java.nio.charset.Charset p1);
}
class URLEncoder {
 static native java.lang.String encode(java.lang.String p0);
 static native java.lang.String encode(java.lang.String p0, java.lang.String p1);
 static native java.lang.String encode(java.lang.String p0, java.nio.charset.Charset p1);
}
class URLPermission extends java.security.Permission {
 URLPermission(java.lang.String p0) {}
 URLPermission(java.lang.String p0, java.lang.String p1) {}
 native boolean equals(java.lang.Object p0);
 native boolean implies(java.security.Permission p0);
 native int hashCode();
 native java.lang.String getActions();
}
abstract class URLStreamHandler {
 URLStreamHandler() {}
 abstract java.net.URLConnection openConnection(java.net.URL p0);
 native boolean equals(java.net.URL p0, java.net.URL p1);
 native boolean hostsEqual(java.net.URL p0, java.net.URL p1);
 native boolean sameFile(java.net.URL p0, java.net.URL p1);
 native int getDefaultPort();
 native int hashCode(java.net.URL p0);
 native java.lang.String toExternalForm(java.net.URL p0);
 native java.net.InetAddress getHostAddress(java.net.URL p0);
 native java.net.URLConnection openConnection(java.net.URL p0, java.net.Proxy p1);
 native void parseURL(java.net.URL p0, java.lang.String p1, int p2, int p3);
 native void setURL(java.net.URL p0, java.lang.String p1, java.lang.String p2, int p3, java.lang.String p4, java.lang.String p5);
 native void setURL(java.net.URL p0, java.lang.String p1, java.lang.String p2, int p3, java.lang.String p4, java.lang.String p5, java.lang.String p6, java.lang.String p7, java.lang.String p8);
}
interface URLStreamHandlerFactory {
 java.net.URLStreamHandler createURLStreamHandler(java.lang.String p0);
}
class UnixDomainSocketAddress extends java.net.SocketAddress {
 native boolean equals(java.lang.Object p0);
 native int hashCode();
 native java.lang.String toString();
 native java.nio.file.Path getPath();
 static native java.net.UnixDomainSocketAddress of(java.lang.String p0);
 static native java.net.UnixDomainSocketAddress of(java.nio.file.Path p0);
}
class UnknownHostException extends java.io.IOException {
 UnknownHostException() {}
 UnknownHostException(java.lang.String p0) {}
}
class UnknownServiceException extends java.io.IOException {
 UnknownServiceException() {}
 UnknownServiceException(java.lang.String p0) {}
}
