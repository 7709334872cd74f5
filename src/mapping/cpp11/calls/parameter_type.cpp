// SPDX-License-Identifier: Apache-2.0
#include "mapping/cpp11/calls/parameter_type.hpp"

namespace tenon::gen {

template <typename C>
constinit const ParameterType TypeInLibrary<C>::type = make_type<C, Way::both>();

template struct TypeInLibrary<Codec<bool>>;
template struct TypeInLibrary<Codec<char>>;
template struct TypeInLibrary<Codec<std::int8_t>>;
template struct TypeInLibrary<Codec<std::uint8_t>>;
template struct TypeInLibrary<Codec<std::int16_t>>;
template struct TypeInLibrary<Codec<std::uint16_t>>;
template struct TypeInLibrary<Codec<std::int32_t>>;
template struct TypeInLibrary<Codec<std::uint32_t>>;
template struct TypeInLibrary<Codec<std::int64_t>>;
template struct TypeInLibrary<Codec<std::uint64_t>>;
template struct TypeInLibrary<Codec<float>>;
template struct TypeInLibrary<Codec<double>>;
template struct TypeInLibrary<String<>>;
template struct TypeInLibrary<Sequence<Codec<std::uint8_t>>>;

}  // namespace tenon::gen
