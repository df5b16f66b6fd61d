"""Reference pages of the C, C++ and Python interfaces, from the comments of
their headers and the docstrings and type hints of the package. Used by
scripts/gen_docs.py.
"""
import ast
import re
import sys
import textwrap


def fail(where, what):
    sys.exit(f"error: {where}: {what} has no comment\nhint: every public name is documented where it is declared")


def comment_text(comment):
    """The words of a /** */ or /// comment, without its frame."""
    comment = re.sub(r"^\s*/\*\*+<?|\*/\s*$", "", comment)
    text = "\n".join(re.sub(r"^\s*(\*|///?<?) *", "", line).rstrip() for line in comment.strip("\n").splitlines()).strip()
    return re.sub(r"(?<!`)<([\w.]+)>", r"`<\1>`", text)


def quote_names(names):
    return ", ".join(f"`{name}`" for name in names.split(", "))


def as_markdown(text):
    """\\param and \\return become a list."""
    text, *tags = re.split(r"^\s*(?=\\(?:param|return)\b)", text, flags=re.M)
    rows = []
    for tag in filter(str.strip, tags):
        words = " ".join(tag.split())
        param = re.match(r"\\param ((?:\w+, )*\w+) (.*)", words)
        rows.append(f"- {quote_names(param[1])}: {param[2]}" if param else "- returns " + words.removeprefix("\\return "))
    return "\n\n".join(filter(None, [text.strip(), "\n".join(rows)])) + "\n"


def block_end(text, at):
    """Position behind the brace that closes the one at `at`."""
    depth = 0
    for i in range(at, len(text)):
        depth += (text[i] == "{") - (text[i] == "}")
        if depth == 0:
            return i + 1
    sys.exit("error: a brace of a header is not closed\nhint: compile it")


def without_bodies(text):
    """Functions as declarations: no bodies, no lists of initialisers."""
    head = re.compile(r"\)((?: const| &{0,2}noexcept)*)\s*(?::[^;{]*)?\{")
    at = 0
    while match := head.search(text, at):
        end = block_end(text, match.end() - 1)
        text = text[:match.start()] + ")" + match[1].rstrip() + ";" + text[end:]
        at = match.start() + 1
    return text


def section(names, code, comment, language):
    return f"### {quote_names(', '.join(names))}\n\n{as_markdown(comment_text(comment))}\n```{language}\n{code.strip()}\n```\n"


def wrap_declaration(code):
    """Lines that break at commas only."""
    words = " ".join(code.split()).replace(", ", ",\n").replace(" ", "\0").replace("\n", " ")
    return textwrap.fill(words + ";", 90, subsequent_indent="    ").replace("\0", " ")


def c_items(header):
    """(kind, section) of everything public, in the order of the header."""
    text = re.sub(r"^#(?:if|ifdef|ifndef|include|endif).*\n", "", header.read_text(), flags=re.M)
    for chunk in re.split(r"\n{2,}", text):
        match = re.match(r"(/\*\*.*?\*/)\n(.*)", chunk, flags=re.S)
        if chunk.startswith("#define") and "/**<" in chunk:
            yield "constants", f"```c\n{chunk.strip()}\n```\n"
        elif match:
            code = re.sub(r"^static inline\s+", "", without_bodies(match[2]), flags=re.M)
            functions = re.findall(r"^[a-z][\w \*\n]*?\b(hgc_rt_\w+)\(", code, flags=re.M)
            if functions and "typedef" not in code:
                code = "\n".join(map(wrap_declaration, code.split(";")[:-1]))
                yield "functions", section(functions, code, match[1], "c")
                continue
            name = re.search(r"(?:struct|enum) (hgc_rt_\w+) \{|^typedef [^;]*?\b(hgc_rt_\w+)(?:;|\)\()", code, flags=re.M)
            # An enum without a name holds the bits of a field that its comment names.
            name = name or re.search(r"(hgc_rt_\w+\.\w+)", match[1]) or fail(header.name, code.splitlines()[0])
            first = next(filter(None, name.groups()))
            yield "types", section([first], code, match[1], "c")
        elif re.search(r"^static inline", chunk, flags=re.M):
            fail(header.name, chunk.splitlines()[0])


def c_page(include):
    """Everything of hgc_rt.h and hgc_rt_dlpack.h."""
    main, dlpack = list(c_items(include / "hgc_rt.h")), list(c_items(include / "hgc_rt_dlpack.h"))
    intro = re.match(r"/\*=.*?\n \*\n(.*?) \*=", (include / "hgc_rt.h").read_text(), flags=re.S)[1]
    lines = ["# C reference\n", comment_text(intro) + "\n",
             "[C interface](c-interface.md) is the guide; a model's own header `<name>.h` has typed functions over these.\n"]
    for kind, title in (("constants", "Constants"), ("types", "Types"), ("functions", "Functions")):
        lines += [f"## {title}\n", *(text for k, text in main if k == kind)]
    return "\n".join([*lines, "## DLPack: hgc_rt_dlpack.h\n", *(text for _, text in dlpack)])


def cpp_page(include):
    """Classes and functions of hgc_rt.hpp that users see."""
    text = (include / "hgc_rt.hpp").read_text()
    intro = re.match(r"//=.*?\n//\n(.*?)//=", text, flags=re.S)[1]
    lines = ["# C++ reference\n", comment_text(intro) + "\n",
             "[Embedding](embedding.md#c) shows it at work, with the class that `hgc compile` writes for a model.\n"]
    body = text[text.index("namespace hgc {"):text.index("namespace detail {")]
    for match in re.finditer(r"^((?:///.*\n)+)(.*\n)", body, flags=re.M):
        name = re.search(r"class (?:\[\[nodiscard\]\] )?(\w+) \{|(\w+)\(", match[2])
        if "class" in match[2]:
            code = body[match.start(2):block_end(body, body.index("{", match.start(2)))] + ";"
            code = re.sub(r"\n+(protected|private):.*(?=\n\};)", "", code, flags=re.S)
        else:
            code = match[2]
        lines.append(section(["hgc::" + (name[1] or name[2])], without_bodies(code), match[1], "cpp").replace("### ", "## ", 1))
    return "\n".join(lines)


def signature(node, name):
    # The return type stands behind the arguments, one argument a line when they are many.
    args = ast.unparse(node.args)
    if len(args) > 80:
        parts = re.findall(r"(?:[^,\[\(]|\[(?:[^\[\]]|\[[^\]]*\])*\]|\([^)]*\))+", args)
        args = "\n    " + ",\n    ".join(part.strip() for part in parts) + ",\n"
    returns = f" -> {ast.unparse(node.returns)}" if node.returns else ""
    return f"{name}({args}){returns}".replace("'", '"')


def docstring(node, where):
    """A docstring whose lines `name: text` are a list."""
    text = ast.get_docstring(node) or fail(where, node.name)
    head, _, rest = text.partition("\n\n")
    if not re.match(r"\w+(, \w+)*: ", rest):
        return text + "\n"
    rows = re.sub(r"\n\s+", " ", rest).splitlines()
    return head + "\n\n" + "\n".join(f"- {quote_names(names)}: {text}" for names, text in (row.split(": ", 1) for row in rows)) + "\n"


def attributes(node):
    """Public fields of a class: of its body, or what __init__ gives itself."""
    for item in node.body:
        if isinstance(item, ast.AnnAssign) and not item.target.id.startswith("_"):
            yield f"{item.target.id}: {ast.unparse(item.annotation)}"
        elif isinstance(item, ast.Assign) and isinstance(item.value, ast.Constant):
            yield f"{item.targets[0].id} = {item.value.value}"
        elif isinstance(item, ast.FunctionDef) and item.name == "__init__":
            hints = {a.arg: ast.unparse(a.annotation) for a in item.args.args if a.annotation}
            for statement in item.body:
                target = statement.target if isinstance(statement, ast.AnnAssign) else getattr(statement, "targets", [None])[0]
                if isinstance(target, ast.Attribute) and not target.attr.startswith("_"):
                    annotation = getattr(statement, "annotation", None)
                    hint = ast.unparse(annotation) if annotation else hints.get(target.attr)
                    yield target.attr + (f": {hint}" if hint else "")


def python_class(node, where):
    bases = f"({', '.join(map(ast.unparse, node.bases))})" if node.bases else ""
    yield f"### `{node.name}`\n\n```python\nclass {node.name}{bases}\n```\n\n{docstring(node, where)}"
    fields = list(attributes(node))
    if fields:
        yield "\n".join(f"- `{field}`" for field in fields) + "\n"
    for item in node.body:
        if not isinstance(item, ast.FunctionDef) or (item.name.startswith("_") and item.name != "__call__"):
            continue
        marks = [ast.unparse(d) for d in item.decorator_list]
        if any(mark.endswith(".setter") for mark in marks):
            continue
        item.args.args = item.args.args[1:]  # self
        code = f"{item.name}: {ast.unparse(item.returns)}" if "property" in marks else signature(item, item.name)
        name = f"{node.name}.{item.name}".replace(".__call__", "(...)")
        yield f"#### `{name}`\n\n```python\n{code}\n```\n\n{docstring(item, where)}"


def python_page(package):
    """Everything that the package exports, functions first."""
    init = ast.parse((package / "__init__.py").read_text())
    functions, classes = [], []
    for imported in (node for node in init.body if isinstance(node, ast.ImportFrom)):
        source = package / f"{imported.module}.py"
        defined = {n.name: n for n in ast.parse(source.read_text()).body if isinstance(n, (ast.FunctionDef, ast.ClassDef))}
        for node in (defined[alias.name] for alias in imported.names):
            if isinstance(node, ast.ClassDef):
                classes += python_class(node, source.name)
            else:
                code = signature(node, "hgc." + node.name)
                functions.append(f"### `hgc.{node.name}`\n\n```python\n{code}\n```\n\n{docstring(node, source.name)}")
    head, _, example = ast.get_docstring(init).partition("\n\n")
    example, _, rest = example.partition("\n\n")
    code = re.sub(r"^    ", "", example, flags=re.M)
    return "\n".join(["# Python reference\n", f"{head}\n", f"```python\n{code}\n```\n", rest + "\n",
                      "[Embedding](embedding.md#python) is the guide.\n", "## Functions\n", *functions, "## Classes\n", *classes])
