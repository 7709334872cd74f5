// SPDX-License-Identifier: Apache-2.0
#include "idl/driver/compile.hpp"

#include "idl/lex/lexer.hpp"
#include "idl/parse/parser.hpp"
#include "idl/sema/analysis.hpp"

namespace tenon::idl {

namespace {

struct Directive {
  std::string_view name;  // empty: no #include on this line
  bool system = false;
};

Directive include_directive(std::string_view line) {
  const auto skip = [&line] {
    while (!line.empty() && (line.front() == ' ' || line.front() == '\t')) line.remove_prefix(1);
  };
  skip();
  if (!line.starts_with('#')) return {};
  line.remove_prefix(1);
  skip();
  if (!line.starts_with("include")) return {};
  line.remove_prefix(7);
  skip();
  if (line.empty() || (line.front() != '"' && line.front() != '<')) return {};
  const bool system = line.front() == '<';
  const std::size_t end = line.find(system ? '>' : '"', 1);
  if (end == std::string_view::npos) return {};
  return {line.substr(1, end - 1), system};
}

// "sub/a.idl" names "/usr/share/sub/a.idl" but not "/usr/share/xsub/a.idl".
bool names_path(std::string_view name, std::string_view path) {
  while (name.starts_with("./")) name.remove_prefix(2);
  while (name.starts_with("../")) name.remove_prefix(3);
  return path.ends_with(name) && (path.size() == name.size() || path[path.size() - name.size() - 1] == '/');
}

// How a back end should name an included file: as the #include wrote it.
void describe_inclusions(const std::vector<Lexer::Inclusion>& inclusions, SourceFiles& sources,
                         std::vector<model::File>& files) {
  std::vector<bool> known(files.size(), false);
  for (const Lexer::Inclusion& one : inclusions) {
    model::File& file = files[one.file];
    // A standard file may stand for others: the names that other ORBs use do.
    const model::File& includer = files[one.includer];
    const bool direct = one.includer == 0 || (includer.standard && includer.direct);
    file.direct = file.direct || direct;
    if (known[one.file] && !direct) continue;
    known[one.file] = true;
    const std::uint32_t count = sources.line_count(one.includer);
    // The directive stands at the line noted or a little before (blank lines are not marked).
    for (std::uint32_t back = 0; back < count; ++back) {
      const std::uint32_t number = (one.line + count - back) % count + 1;
      const auto line = sources.line(one.includer, number);
      const Directive directive = line ? include_directive(*line) : Directive{};
      if (directive.name.empty() || !names_path(directive.name, file.path)) continue;
      file.include_name = directive.name;
      file.system = directive.system;
      break;
    }
  }
}

// A file is the ORB's own if everything that it declares is.
void mark_orb_files(const std::vector<const model::Decl*>& decls, std::vector<bool>& own,
                    std::vector<bool>& foreign) {
  for (const model::Decl* decl : decls) {
    if (const auto* module = model::as<model::Module>(decl)) {
      mark_orb_files(module->contents, own, foreign);
    } else {
      (decl->provided_by_orb ? own : foreign)[decl->location.file] = true;
    }
  }
}

}  // namespace

std::unique_ptr<model::Model> compile_text(std::string_view preprocessed, SourceFiles& sources,
                                           Diagnostics& diagnostics) {
  Lexer lexer(preprocessed, 0, sources, diagnostics);
  Parser parser(lexer, sources, diagnostics);
  const ast::Specification tree = parser.parse();
  auto program = Analysis(tree, sources, diagnostics, AnalysisOptions{}).run();
  for (std::uint32_t i = 0; i < program->files.size(); ++i)
    program->files[i].standard = sources.is_standard(i);
  describe_inclusions(lexer.inclusions(), sources, program->files);
  std::vector<bool> own(program->files.size(), false);
  std::vector<bool> foreign(program->files.size(), false);
  mark_orb_files(program->roots, own, foreign);
  for (std::size_t i = 0; i < program->files.size(); ++i) {
    program->files[i].orb_provided = own[i] && !foreign[i];
    program->files[i].declares = foreign[i];
  }
  return program;
}

}  // namespace tenon::idl
