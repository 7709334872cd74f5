// SPDX-License-Identifier: Apache-2.0
// raw_server: answers whatever it is sent by twelve octets, without an ORB. What first_reply measures a server beside.
#include <arpa/inet.h>
#include <netinet/in.h>
#include <sys/socket.h>
#include <unistd.h>

#include <cstdio>
#include <string>

int main() {
  const int listener = socket(AF_INET, SOCK_STREAM, 0);
  sockaddr_in address{};
  address.sin_family = AF_INET;
  address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
  socklen_t size = sizeof address;
  if (bind(listener, reinterpret_cast<sockaddr*>(&address), sizeof address) != 0 ||
      listen(listener, 16) != 0 || getsockname(listener, reinterpret_cast<sockaddr*>(&address), &size) != 0)
    return 1;
  std::puts(("corbaloc:iiop:1.2@127.0.0.1:" + std::to_string(ntohs(address.sin_port)) + "/Hello").c_str());
  std::fflush(stdout);
  for (int peer; (peer = accept(listener, nullptr, nullptr)) >= 0; close(peer)) {
    char request[512];
    while (recv(peer, request, sizeof request, 0) > 0) {
      if (send(peer, "a raw reply.", 12, MSG_NOSIGNAL) != 12) break;
    }
  }
}
