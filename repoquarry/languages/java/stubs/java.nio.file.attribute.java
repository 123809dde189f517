package java.nio.file.attribute;
class AclEntry {
 native boolean equals(java.lang.Object p0);
 native int hashCode();
 native java.lang.String toString();
 native java.nio.file.attribute.AclEntryType type();
 native java.nio.file.attribute.UserPrincipal principal();
 native java.util.Set<java.nio.file.attribute.AclEntryFlag> flags();
 native java.util.Set<java.nio.file.attribute.AclEntryPermission> permissions();
 static native java.nio.file.attribute.AclEntry.Builder newBuilder();
 static native java.nio.file.attribute.AclEntry.Builder newBuilder(java.nio.file.attribute.AclEntry p0);
 static class Builder {
  native java.nio.file.attribute.AclEntry build();
  native java.nio.file.attribute.AclEntry.Builder setFlags(java.nio.file.attribute.AclEntryFlag... p0);
  native java.nio.file.attribute.AclEntry.Builder setFlags(java.util.Set<java.nio.file.attribute.AclEntryFlag> p0);
  native java.nio.file.attribute.AclEntry.Builder setPermissions(java.nio.file.attribute.AclEntryPermission... p0);
  native java.nio.file.attribute.AclEntry.Builder setPermissions(java.util.Set<java.nio.file.attribute.AclEntryPermission> p0);
  native java.nio.file.attribute.AclEntry.Builder setPrincipal(java.nio.file.attribute.UserPrincipal p0);
  native java.nio.file.attribute.AclEntry.Builder setType(java.nio.file.attribute.AclEntryType p0);
 }
}
enum AclEntryFlag {
 FILE_INHERIT, DIRECTORY_INHERIT, NO_PROPAGATE_INHERIT, INHERIT_ONLY;
}
enum AclEntryPermission {
 READ_DATA, WRITE_DATA, APPEND_DATA, READ_NAMED_ATTRS, WRITE_NAMED_ATTRS, EXECUTE, DELETE_CHILD, READ_ATTRIBUTES, WRITE_ATTRIBUTES, DELETE, READ_ACL, WRITE_ACL, WRITE_OWNER, SYNCHRONIZE;
 static java.nio.file.attribute.AclEntryPermission ADD_FILE;
 static java.nio.file.attribute.AclEntryPermission ADD_SUBDIRECTORY;
 static java.nio.file.attribute.AclEntryPermission LIST_DIRECTORY;
}
enum AclEntryType {
 ALLOW, DENY, AUDIT, ALARM;
}
interface AclFileAttributeView extends java.nio.file.attribute.FileOwnerAttributeView {
 java.lang.String name();
 java.util.List<java.nio.file.attribute.AclEntry> getAcl();
 void setAcl(java.util.List<java.nio.file.attribute.AclEntry> p0);
}
interface AttributeView {
 java.lang.String name();
}
interface BasicFileAttributeView extends java.nio.file.attribute.FileAttributeView {
 java.lang.String name();
 java.nio.file.attribute.BasicFileAttributes readAttributes();
 void setTimes(java.nio.file.attribute.FileTime p0, java.nio.file.attribute.FileTime p1, java.nio.file.attribute.FileTime p2);
}
interface BasicFileAttributes {
 boolean isDirectory();
 boolean isOther();
 boolean isRegularFile();
 boolean isSymbolicLink();
 java.lang.Object fileKey();
 java.nio.file.attribute.FileTime creationTime();
 java.nio.file.attribute.FileTime lastAccessTime();
 java.nio.file.attribute.FileTime lastModifiedTime();
 long size();
}
interface DosFileAttributeView extends java.nio.file.attribute.BasicFileAttributeView {
 java.lang.String name();
 java.nio.file.attribute.DosFileAttributes readAttributes();
 void setArchive(boolean p0);
 void setHidden(boolean p0);
 void setReadOnly(boolean p0);
 void setSystem(boolean p0);
}
interface DosFileAttributes extends java.nio.file.attribute.BasicFileAttributes {
 boolean isArchive();
 boolean isHidden();
 boolean isReadOnly();
 boolean isSystem();
}
interface FileAttribute<T>  {
 T value();
 java.lang.String name();
}
interface FileAttributeView extends java.nio.file.attribute.AttributeView {
}
interface FileOwnerAttributeView extends java.nio.file.attribute.FileAttributeView {
 java.lang.String name();
 java.nio.file.attribute.UserPrincipal getOwner();
 void setOwner(java.nio.file.attribute.UserPrincipal p0);
}
interface FileStoreAttributeView extends java.nio.file.attribute.AttributeView {
}
class FileTime implements java.lang.Comparable<java.nio.file.attribute.FileTime> {
 native boolean equals(java.lang.Object p0);
 native int compareTo(java.nio.file.attribute.FileTime p0);
 native int hashCode();
 native java.lang.String toString();
 native java.time.Instant toInstant();
 native long to(java.util.concurrent.TimeUnit p0);
 native long toMillis();
 static native java.nio.file.attribute.FileTime from(java.time.Instant p0);
 static native java.nio.file.attribute.FileTime from(long p0, java.util.concurrent.TimeUnit p1);
 static native java.nio.file.attribute.FileTime fromMillis(long p0);
}
interface GroupPrincipal extends java.nio.file.attribute.UserPrincipal {
}
interface PosixFileAttributeView extends java.nio.file.attribute.BasicFileAttributeView, java.nio.file.attribute.FileOwnerAttributeView {
 java.lang.String name();
 java.nio.file.attribute.PosixFileAttributes readAttributes();
 void setGroup(java.nio.file.attribute.GroupPrincipal p0);
 void setPermissions(java.util.Set<java.nio.file.attribute.PosixFilePermission> p0);
}
interface PosixFileAttributes extends java.nio.file.attribute.BasicFileAttributes {
 java.nio.file.attribute.GroupPrincipal group();
 java.nio.file.attribute.UserPrincipal owner();
 java.util.Set<java.nio.file.attribute.PosixFilePermission> permissions();
}
enum PosixFilePermission {
 OWNER_READ, OWNER_WRITE, OWNER_EXECUTE, GROUP_READ, GROUP_WRITE, GROUP_EXECUTE, OTHERS_READ, OTHERS_WRITE, OTHERS_EXECUTE;
}
class PosixFilePermissions {
 static native java.lang.String toString(java.util.Set<java.nio.file.attribute.PosixFilePermission> p0);
 static native java.nio.file.attribute.FileAttribute<java.util.Set<java.nio.file.attribute.PosixFilePermission>> asFileAttribute(java.util.Set<java.nio.file.attribute.PosixFilePermission> p0);
 static native java.util.Set<java.nio.file.attribute.PosixFilePermission> fromString(java.lang.String p0);
}
interface UserDefinedFileAttributeView extends java.nio.file.attribute.FileAttributeView {
 int read(java.lang.String p0, java.nio.ByteBuffer p1);
 int size(java.lang.String p0);
 int write(java.lang.String p0, java.nio.ByteBuffer p1);
 java.lang.String name();
 java.util.List<java.lang.String> list();
 void delete(java.lang.String p0);
}
interface UserPrincipal extends java.security.Principal {
}
abstract class UserPrincipalLookupService {
 UserPrincipalLookupService() {}
 abstract java.nio.file.attribute.GroupPrincipal lookupPrincipalByGroupName(java.lang.String p0);
 abstract java.nio.file.attribute.UserPrincipal lookupPrincipalByName(java.lang.String p0);
}
class UserPrincipalNotFoundException extends java.io.IOException {
 UserPrincipalNotFoundException(java.lang.String p0) {}
 native java.lang.String getName();
}
