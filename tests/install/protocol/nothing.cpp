// SPDX-License-Identifier: Apache-2.0
// Shared objects that are no protocol libraries, or are for an older Tenon (OLDER).
#ifdef OLDER
extern "C" const unsigned tenon_protocol_library[4] = {0, 0, 0, 0};
#endif
