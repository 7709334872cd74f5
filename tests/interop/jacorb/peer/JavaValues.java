// SPDX-License-Identifier: Apache-2.0
//
// What JacORB asks javax.rmi about the Java classes of values, answered for classes that were generated from IDL: they write
// and read themselves, so that a name is all there is to say. Stands in for the archive's own answers, which look into a
// JDK 8. Named by the property javax.rmi.CORBA.UtilClass. Stateless.
package peer;

import java.io.Serializable;
import java.rmi.Remote;
import java.rmi.RemoteException;
import javax.rmi.CORBA.Stub;
import javax.rmi.CORBA.Tie;
import javax.rmi.CORBA.UtilDelegate;
import javax.rmi.CORBA.ValueHandler;
import org.omg.CORBA.NO_IMPLEMENT;
import org.omg.CORBA.ORB;
import org.omg.CORBA.SystemException;
import org.omg.CORBA.portable.InputStream;
import org.omg.CORBA.portable.OutputStream;

public final class JavaValues implements UtilDelegate, ValueHandler {
  private static NO_IMPLEMENT rmi() {
    return new NO_IMPLEMENT("values of Java's own, and remote objects of Java's own");
  }

  @Override
  public ValueHandler createValueHandler() {
    return this;
  }

  @Override
  public String getRMIRepositoryID(Class<?> type) {
    return "RMI:" + type.getName() + ":0000000000000000";
  }

  @Override
  public String getCodebase(Class<?> type) {
    return null;
  }

  @Override
  public Class<?> loadClass(String name, String codebase, ClassLoader loader) throws ClassNotFoundException {
    return Class.forName(name, true, loader != null ? loader : JavaValues.class.getClassLoader());
  }

  @Override
  public boolean isCustomMarshaled(Class<?> type) {
    return false;
  }

  @Override
  public org.omg.SendingContext.RunTime getRunTimeCodeBase() {
    return null;
  }

  @Override
  public Serializable writeReplace(Serializable value) {
    return value;
  }

  @Override
  public void writeValue(OutputStream out, Serializable value) {
    throw rmi();
  }

  @Override
  public Serializable readValue(InputStream in, int offset, Class<?> type, String id,
      org.omg.SendingContext.RunTime sender) {
    throw rmi();
  }

  @Override
  public RemoteException mapSystemException(SystemException e) {
    return new RemoteException(e.toString(), e);
  }

  @Override
  public void writeAny(OutputStream out, Object value) {
    throw rmi();
  }

  @Override
  public Object readAny(InputStream in) {
    throw rmi();
  }

  @Override
  public void writeRemoteObject(OutputStream out, Object value) {
    throw rmi();
  }

  @Override
  public void writeAbstractObject(OutputStream out, Object value) {
    throw rmi();
  }

  @Override
  public void registerTarget(Tie tie, Remote target) {
    throw rmi();
  }

  @Override
  public void unexportObject(Remote target) {
    throw rmi();
  }

  @Override
  public Tie getTie(Remote target) {
    throw rmi();
  }

  @Override
  public boolean isLocal(Stub stub) {
    return false;
  }

  @Override
  public RemoteException wrapException(Throwable e) {
    return new RemoteException(e.toString(), e);
  }

  @Override
  public Object copyObject(Object value, ORB orb) {
    throw rmi();
  }

  @Override
  public Object[] copyObjects(Object[] values, ORB orb) {
    throw rmi();
  }
}
