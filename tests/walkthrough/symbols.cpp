// SPDX-License-Identifier: Apache-2.0
#include "symbols.hpp"

#include <cxxabi.h>
#include <elf.h>
#include <link.h>
#include <unistd.h>

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <map>

namespace tenon::walk {
namespace {

struct Function {
  std::size_t size;
  std::string name;
};

std::vector<char> read_program() {
  std::vector<char> bytes;
  std::FILE* file = std::fopen("/proc/self/exe", "rb");
  if (file == nullptr) return bytes;
  char part[1 << 16];
  for (std::size_t got = 0; (got = std::fread(part, 1, sizeof part, file)) != 0;) {
    bytes.insert(bytes.end(), part, part + got);
  }
  std::fclose(file);
  return bytes;
}

/// By address before relocation. From the program's own file, which is taken to be sound.
std::map<std::uintptr_t, Function> read_functions() {
  std::map<std::uintptr_t, Function> functions;
  const std::vector<char> program = read_program();
  if (program.size() < sizeof(ElfW(Ehdr))) return functions;
  ElfW(Ehdr) head;
  std::memcpy(&head, program.data(), sizeof head);
  std::vector<ElfW(Shdr)> sections(head.e_shnum);
  std::memcpy(sections.data(), program.data() + head.e_shoff, sections.size() * sizeof(ElfW(Shdr)));
  for (const auto& section : sections) {
    if (section.sh_type != SHT_SYMTAB) continue;
    const char* names = program.data() + sections[section.sh_link].sh_offset;
    for (std::size_t at = 0; at + sizeof(ElfW(Sym)) <= section.sh_size; at += sizeof(ElfW(Sym))) {
      ElfW(Sym) symbol;
      std::memcpy(&symbol, program.data() + section.sh_offset + at, sizeof symbol);
      if ((symbol.st_info & 0xF) != STT_FUNC || symbol.st_size == 0) continue;
      functions[symbol.st_value] = {symbol.st_size, names + symbol.st_name};
    }
  }
  return functions;
}

std::uintptr_t program_base() {
  std::uintptr_t base = 0;
  // The program itself comes first.
  dl_iterate_phdr(
      [](dl_phdr_info* info, std::size_t, void* into) {
        *static_cast<std::uintptr_t*>(into) = info->dlpi_addr;
        return 1;
      },
      &base);
  return base;
}

std::string demangled(const std::string& name) {
  const std::string plain = name.substr(0, name.find('.'));  // GCC's ".constprop.0" and its like
  int status = 0;
  char* text = abi::__cxa_demangle(plain.c_str(), nullptr, nullptr, &status);
  std::string out = status == 0 ? text : plain;
  std::free(text);
  return out;
}

std::string simple_name(std::string text) {
  for (const std::string_view part : {"(anonymous namespace)::", "cpp11::"}) {
    for (std::size_t at = 0; (at = text.find(part)) != std::string::npos;) text.erase(at, part.size());
  }
  std::string out;
  int depth = 0;
  for (const char c : text) {
    if (c == '(') break;
    if (c == '<') ++depth;
    if (depth == 0) out += c;
    if (c == '>') --depth;
    if (c == ' ' && depth == 0) out.clear();  // what came before was the return type
  }
  return out;
}

}  // namespace

namespace {

/// A compiler cache may hand out what was compiled in another folder with the same sources: the file of this one.
std::string in_these_sources(const std::string& file) {
  const std::string path = std::filesystem::path(file).lexically_normal().string();
  for (const std::string_view folder : {"/src/", "/plugins/", "/include/", "/tests/", "/build/"}) {
    const std::size_t at = path.rfind(folder);
    if (at == std::string::npos) continue;
    std::string here = TENON_SOURCE_ROOT + path.substr(at);
    if (std::filesystem::exists(here)) return here;
  }
  return file;
}

/// Before relocation. A return address may be the first byte behind its function.
std::uintptr_t place_of(const void* address) {
  static const std::uintptr_t base = program_base();
  return reinterpret_cast<std::uintptr_t>(address) - base - 1;
}

}  // namespace

std::string function_at(const void* address) {
  static const std::map<std::uintptr_t, Function> known = read_functions();
  const std::uintptr_t at = place_of(address);
  auto found = known.upper_bound(at);
  if (found == known.begin()) return {};
  --found;
  if (at >= found->first + found->second.size) return {};
  return simple_name(demangled(found->second.name));
}

std::vector<std::string> functions(const Frames& frames) {
  std::vector<std::string> names;
  for (const void* frame : frames) {
    std::string name = function_at(frame);
    if (!name.empty()) names.push_back(std::move(name));
  }
  return names;
}

std::vector<WrittenFunction> written_functions(const Frames& frames) {
  std::string command = "addr2line -i -f -C -e /proc/" + std::to_string(::getpid()) + "/exe";
  for (const void* frame : frames) {
    char place[32];
    std::snprintf(place, sizeof place, " %#jx", std::uintmax_t{place_of(frame)});
    if (!function_at(frame).empty()) command += place;
  }
  std::vector<WrittenFunction> found;
  std::FILE* lines = ::popen(command.c_str(), "r");
  if (lines == nullptr) return found;
  char text[4096];
  while (std::fgets(text, sizeof text, lines) != nullptr) {
    WrittenFunction function{simple_name(std::string(text, std::strcspn(text, "\n")))};
    if (std::fgets(text, sizeof text, lines) == nullptr) break;
    const std::string where(text, std::strcspn(text, " \n"));
    const std::size_t colon = where.rfind(':');
    function.file = in_these_sources(where.substr(0, colon));
    function.line = std::atoi(where.c_str() + colon + 1);
    if (function.line > 0) found.push_back(std::move(function));
  }
  ::pclose(lines);
  return found;
}

int lines_of(const WrittenFunction& function) {
  std::vector<std::string> lines{""};  // counted from 1
  std::ifstream file(function.file);
  for (std::string line; std::getline(file, line);) lines.push_back(line);
  const auto at = static_cast<std::size_t>(function.line);
  if (at >= lines.size()) return 0;
  const auto depth = [&](std::size_t line) { return lines[line].find_first_not_of(' '); };
  // Its last line is a brace alone, at the depth of its first line: 0, or 2 inside a class. What is between is deeper.
  for (const std::string last : {"}", "  }"}) {
    const std::size_t own = last.size() - 1;
    const auto found = std::find(lines.begin() + static_cast<std::ptrdiff_t>(at), lines.end(), last);
    if (found == lines.end()) continue;
    const auto end = static_cast<std::size_t>(found - lines.begin());
    std::size_t begin = end - 1;
    while (begin > 0 && (lines[begin].empty() || depth(begin) > own)) --begin;
    if (begin <= at) return static_cast<int>(end - begin + 1);
  }
  return depth(at) <= 2 ? 1 : 0;
}

}  // namespace tenon::walk
