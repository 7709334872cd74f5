#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""check_contract.py [--update] ROOT: whether the number of the plug-ins' contract still stands for the headers of src/protocol.

src/orb/protocol_library.hpp has the number and a hash of what plug-ins implement, comments and blanks apart. A shared object of
another number is refused, so the number is raised with each change of these headers; --update does that. Exit 1: they have changed."""
import hashlib
import os
import re
import sys

HEADERS = ("transport.hpp", "socket_properties.hpp", "identity.hpp", "messaging.hpp", "incoming_call.hpp", "incoming_request.hpp")
NUMBER = re.compile(r"(protocol_contract = )(\d+)(;  // of headers )(\w+)")


def hash_of(texts):
    found = hashlib.sha256()
    for text in texts:
        found.update(" ".join(re.sub(r"//.*", "", text).split()).encode())
    return found.hexdigest()[:12]


def checked(text, headers, update):
    """The text of protocol_library.hpp as it should be, and what is wrong with it or None."""
    number = NUMBER.search(text)
    if not number:
        return text, "protocol_library.hpp has no 'protocol_contract = N;  // of headers HASH'"
    now = hash_of(headers)
    if number[4] == now:
        return text, None
    if update:
        return NUMBER.sub(rf"\g<1>{int(number[2]) + 1}\g<3>{now}", text), None
    return text, (f"the headers of src/protocol have changed since contract {number[2]} of plug-ins: "
                  "tools/check_contract.py --update . raises its number")


def main(arguments):
    update = arguments[:1] == ["--update"]
    if len(arguments) != 1 + update:
        print(__doc__, file=sys.stderr)
        return 2
    root = arguments[-1]
    path = os.path.join(root, "src", "orb", "protocol_library.hpp")
    with open(path) as file:
        text = file.read()
    headers = []
    for name in HEADERS:
        with open(os.path.join(root, "src", "protocol", name)) as file:
            headers.append(file.read())
    right, wrong = checked(text, headers, update)
    if wrong:
        print(wrong)
        return 1
    if right != text:
        with open(path, "w") as file:
            file.write(right)
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
