// SPDX-License-Identifier: Apache-2.0
//
// Sends the callers of one object adapter to another object: LOCATION_FORWARD. An interceptor does it, since JacORB 3.9 never
// replies when a servant manager raises ForwardRequest. Threads: `to` is set before the first request.
package peer;

import org.omg.PortableInterceptor.ForwardRequest;
import org.omg.PortableInterceptor.ORBInitInfo;
import org.omg.PortableInterceptor.ORBInitInfoPackage.DuplicateName;
import org.omg.PortableInterceptor.ORBInitializer;
import org.omg.PortableInterceptor.ServerRequestInfo;
import org.omg.PortableInterceptor.ServerRequestInterceptor;

public final class PassOn extends org.omg.CORBA.LocalObject implements ORBInitializer {
  static final String ADAPTER = "passing on";
  static volatile org.omg.CORBA.Object to;

  private static final class Interceptor extends org.omg.CORBA.LocalObject implements ServerRequestInterceptor {
    @Override
    public String name() {
      return ADAPTER;
    }

    @Override
    public void destroy() {}

    @Override
    public void receive_request_service_contexts(ServerRequestInfo info) {}

    @Override
    public void receive_request(ServerRequestInfo info) throws ForwardRequest {
      String[] adapter = info.adapter_name();
      if (adapter.length > 0 && adapter[adapter.length - 1].equals(ADAPTER)) throw new ForwardRequest(to);
    }

    @Override
    public void send_reply(ServerRequestInfo info) {}

    @Override
    public void send_exception(ServerRequestInfo info) {}

    @Override
    public void send_other(ServerRequestInfo info) {}
  }

  @Override
  public void pre_init(ORBInitInfo info) {}

  @Override
  public void post_init(ORBInitInfo info) {
    try {
      info.add_server_request_interceptor(new Interceptor());
    } catch (DuplicateName e) {
      throw new org.omg.CORBA.INITIALIZE(e.toString());
    }
  }
}
