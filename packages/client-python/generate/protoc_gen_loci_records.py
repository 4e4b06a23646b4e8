"""A protoc plugin that writes `loci_client.types`: a frozen dataclass for each message that a caller gets or gives."""

import sys
from collections.abc import Iterator, Mapping, Sequence
from keyword import iskeyword
from pathlib import Path
from textwrap import wrap

from google.protobuf.compiler.plugin_pb2 import CodeGeneratorRequest, CodeGeneratorResponse
from google.protobuf.descriptor_pb2 import (
    DescriptorProto,
    EnumDescriptorProto,
    FieldDescriptorProto,
    FileDescriptorProto,
)
from protoc_gen_loci_python import LOAD_WHEN_ASKED

PACKAGE = "loci_client.types"
LINE_LENGTH = 120

# Answers that callers see whole, under the names that say what they are.
RENAMED = {
    "AppendTurnsAndAssembleContextResponse": "AppendedContext",
    "AppendTurnsAndCaptureResponse": "CapturedTurns",
    "AppendTurnsResponse": "AppendedTurns",
    "ApproveBlockEditResponse": "ApprovedBlockEdit",
    "AssembleContextResponse": "AssembledContext",
    "BatchGetMemoriesResponse": "ManyMemories",
    "CheckBudgetResponse": "BudgetCheck",
    "CountTokensResponse": "TokenCount",
    "DiffBlockVersionsResponse": "BlockDiff",
    "EnforceBudgetResponse": "EnforcedBudget",
    "ExportMemoriesResponse": "ExportPage",
    "ExportRecordsResponse": "ExportedRecord",
    "GetBlockEditResponse": "BlockEditDetails",
    "ImportMemoriesResponse": "ImportResult",
    "ImportRecordsResponse": "ImportedRecords",
    "ListBlockEditsResponse": "BlockEditPage",
    "ListBlockVersionsResponse": "BlockVersionPage",
    "ListCapturesResponse": "CapturePage",
    "ListMemoriesResponse": "MemoryPage",
    "ListMemoryIdsResponse": "MemoryIds",
    "ListMemoryScopesResponse": "ScopePage",
    "ListReceiptsResponse": "ReceiptPage",
    "ListReviewsResponse": "ReviewPage",
    "ListSessionsResponse": "SessionPage",
    "ListTurnsResponse": "TurnPage",
    "MemoryServiceExportMemoriesResponse": "ExportedMemory",
    "RecallMemoriesResponse": "RecallResult",
    "TrimMessagesResponse": "TrimmedMessages",
    "UpdateBlockResponse": "BlockWrite",
    "WatchMemoriesResponse": "MemoryChange",
}

# Python has a form of its own for them.
SPECIAL = {
    ".google.protobuf.Timestamp": ("datetime.datetime", "read_time({})"),
    ".google.rpc.Status": ("LociError", "error_from_status({})"),
    ".loci.v1.BlockEntries": ("tuple[str, ...]", "tuple({}.entries)"),
    ".loci.v1.BlockHunks": ("tuple[int, ...]", "tuple({}.positions)"),
    ".loci.v1.BlockValue": ("BlockValue", "read_block_value({})"),
    ".loci.v1.Filter": ("Filter", "Filter({})"),
    ".loci.v1.Scope": ("Scope", "Scope.from_proto({})"),
    ".loci.v1.Value": ("Value", "read_value({})"),
}

# Messages that only hold a list: the list stands for them.
LISTS = {".loci.v1.BlockOperations": "operations", ".loci.v1.ContentParts": "parts"}

# Requests are made from keywords, and filters with `F`.
LEFT_OUT = {
    "BlockValues",
    "ClearTask",
    "Filter",
    "FilterComparison",
    "FilterList",
    "MaintenanceJob",
    "SetTask",
}
LEFT_OUT_ENUMS = {"FilterOperator", "ScopeKind"}

# Parts of a long file that have modules of their own, each read in one sitting. All else is in the module of its file.
MODULES = {
    "chat_message": {"ChatMessage", "ChatRole", "ContentPart", "ImageUrl", "ToolCall"},
    "layout": {"DayLog", "LayeredFiles", "LayoutDefinition", "ProfileRanks", "SectionDefinition"},
    "receipt": {"ItemReceipt", "Receipt", "ReceiptCheck", "SectionReceipt", "WindowReceipt"},
}

# Message fields that every answer has. Others are None when they are absent.
ALWAYS_THERE = {
    ("AppendTurnsAndAssembleContextResponse", "appended"),
    ("AppendTurnsAndAssembleContextResponse", "context"),
    ("AppendTurnsAndCaptureResponse", "appended"),
    ("AppendTurnsAndCaptureResponse", "session"),
    ("ApproveBlockEditResponse", "block"),
    ("ApproveBlockEditResponse", "edit"),
    ("AssembleContextResponse", "cache"),
    ("AssembleContextResponse", "receipt"),
    ("AssembleContextResponse", "usage"),
    ("Block", "create_time"),
    ("Block", "owner"),
    ("Block", "update_time"),
    ("BlockDocument", "block"),
    ("BlockEdit", "owner"),
    ("BlockEdit", "propose_time"),
    ("BlockVersion", "time"),
    ("CaptureJob", "create_time"),
    ("CaptureJob", "session"),
    ("CaptureJob", "update_time"),
    ("GetBlockEditResponse", "edit"),
    ("KeptReceipt", "receipt"),
    ("KeptReceipt", "summary"),
    ("KeptReceiptSummary", "assemble_time"),
    ("KeptReceiptSummary", "usage"),
    ("Memory", "create_time"),
    ("Memory", "record_time"),
    ("Memory", "update_time"),
    ("Memory", "usage"),
    ("MemoryEvidence", "say_time"),
    ("MemoryEvidence", "session"),
    ("MemoryReview", "create_time"),
    ("MemoryReview", "memory"),
    ("Operation", "create_time"),
    ("OutdatedMark", "since"),
    ("RecallHit", "memory"),
    ("RecallHit", "parts"),
    ("RecallMemoriesResponse", "evaluation_time"),
    ("Receipt", "evaluation_time"),
    ("Receipt", "window"),
    ("UpdateBlockResponse", "block"),
}


Field = FieldDescriptorProto
SCALARS = {
    Field.TYPE_BOOL: ("bool", "False"),
    Field.TYPE_BYTES: ("bytes", 'b""'),
    Field.TYPE_DOUBLE: ("float", "0.0"),
    Field.TYPE_INT32: ("int", "0"),
    Field.TYPE_INT64: ("int", "0"),
    Field.TYPE_STRING: ("str", '""'),
}


def is_record(message: DescriptorProto) -> bool:
    name = message.name
    if name in RENAMED:
        return True
    ends = name.endswith(("Request", "Response", "Job")) and name != "CaptureJob"
    return not ends and name not in LEFT_OUT and f".loci.v1.{name}" not in {*SPECIAL, *LISTS}


def entries_of(file: FileDescriptorProto) -> Sequence[DescriptorProto | EnumDescriptorProto]:
    return (*file.message_type, *file.enum_type)


def module_of(file: FileDescriptorProto, name: str) -> str:
    return next((module for module, names in MODULES.items() if name in names), Path(file.name).stem)


def record_name(type_name: str) -> str:
    name = type_name.rpartition(".")[2]
    return RENAMED.get(name, name)


def generate(request: CodeGeneratorRequest) -> CodeGeneratorResponse:
    response = CodeGeneratorResponse(supported_features=CodeGeneratorResponse.FEATURE_PROTO3_OPTIONAL)
    asked = set(request.file_to_generate)
    files = [file for file in request.proto_file if file.name in asked]
    modules = {
        f".{file.package}.{entry.name}": module_of(file, entry.name)
        for file in files
        for entry in entries_of(file)
    }
    wrappers = {f".loci.v1.{message.name}": message for file in files for message in file.message_type}
    index: dict[str, list[str]] = {}
    for file in files:
        # In the order in which the file has them.
        for module in dict.fromkeys(modules[f".{file.package}.{entry.name}"] for entry in entries_of(file)):
            names, source = Module(file, module, modules, wrappers).write()
            if names:
                index[module] = names
                response.file.add(name=f"{module}.py", content=source)
    response.file.add(name="__init__.py", content=index_of(index))
    return response


class Module:
    """One file of dataclasses, for one file of the contract or a part of it."""

    def __init__(
        self,
        file: FileDescriptorProto,
        name: str,
        modules: Mapping[str, str],
        messages: Mapping[str, DescriptorProto],
    ) -> None:
        self.file = file
        self.name = name
        self.stem = Path(file.name).stem
        self.modules = modules
        self.messages = messages
        places = file.source_code_info.location
        self.comments = {tuple(place.path): place.leading_comments.strip() for place in places}
        self.imports: dict[str, set[str]] = {}

    def write(self) -> tuple[list[str], str]:
        messages, enumerations = enumerate(self.file.message_type), enumerate(self.file.enum_type)
        records = [(place, message) for place, message in messages if self.has(message.name) and is_record(message)]
        enums = [
            (place, enum) for place, enum in enumerations if self.has(enum.name) and enum.name not in LEFT_OUT_ENUMS
        ]
        body: list[str] = []
        for place, enum in enums:
            body += self.enum(place, enum)
        for place, message in records:
            body += self.record(place, message)
        if records:
            self.need("dataclasses", "dataclass")
            self.need("loci_client.record", "Record")
            self.need("loci_client.v1", f"{self.stem}_pb2")
        if enums:
            self.need("typing", "Final")
            self.need("typing", "Literal")
        names = [record_name(message.name) for _, message in records] + [enum.name for _, enum in enums]
        head = [f'"""Generated from {self.file.name}."""', "", "from __future__ import annotations", ""]
        for is_own in (False, True):
            modules = [name for name in sorted(self.imports) if name.startswith("loci_client") == is_own]
            head += [line for name in modules for line in import_of(name, sorted(self.imports[name]))]
            head += [""] if modules else []
        return sorted(names), "\n".join([*head[:-1], *body, ""])

    def has(self, name: str) -> bool:
        return self.modules[f".{self.file.package}.{name}"] == self.name

    def need(self, module: str, name: str | None = None) -> None:
        if module == f"{PACKAGE}.{self.name}":
            return
        wanted = self.imports.setdefault(module, set())
        if name is not None:
            wanted.add(name)

    def enum(self, place: int, enum: EnumDescriptorProto) -> list[str]:
        words = enum_words(enum)
        listed = ", ".join(f'"{word}"' for _, word in words)
        lines = ["", "", f"{enum.name} = Literal[{listed}]"]
        if len(lines[-1]) > LINE_LENGTH:
            lines[-1:] = [f"{enum.name} = Literal[", *(f'    "{word}",' for _, word in words), "]"]
        lines += docstring(self.comments.get((5, place), ""), "")
        lines += [
            f"{names_of(enum.name)}: Final[dict[int, {enum.name}]] = {{",
            *(f'    {number}: "{word}",' for number, word in words),
            "}",
        ]
        return lines

    def record(self, place: int, message: DescriptorProto) -> list[str]:
        name = record_name(message.name)
        source = f"{self.stem}_pb2.{message.name}"
        decorator = "@dataclass(frozen=True, slots=True, repr=False, kw_only=True)"
        lines = ["", "", decorator, f"class {name}(Record[{source}]):"]
        lines += docstring(self.comments.get((4, place), ""), "    ")
        lines.append("")
        reads = []
        for number, field in enumerate(message.field):
            comment = self.comments.get((4, place, 2, number), "")
            annotation, default, read = self.field(message, field, comment)
            own = attribute(field.name)
            lines.append(f"    {own}: {annotation}{default}")
            lines += docstring(comment.removeprefix("Output only.").strip(), "    ")
            reads.append(f"            {own}={read},")
        reading = ["        return cls(", *reads, "        )._from(message)"]
        union = " | ".join([source, *(f"{self.stem}_pb2.{other}" for other in same_as(message.name))])
        lines += [
            "",
            "    @staticmethod",
            f"    def _new() -> {source}:",
            f"        return {source}()",
            "",
            "    @classmethod",
            f"    def from_proto(cls, message: {union}) -> {name}:",
            *reading,
        ]
        return lines

    def field(self, message: DescriptorProto, field: FieldDescriptorProto, comment: str) -> tuple[str, str, str]:
        """The annotation, the default with its equals sign, and how it is read."""
        value = f'getattr(message, "{field.name}")' if iskeyword(field.name) else f"message.{field.name}"
        entry = self.map_entry(message, field)
        if entry is not None:
            annotation, read = self.one(entry.field[1], "value")
            self.need("collections.abc", "Mapping")
            self.need("dataclasses", "field")
            same = read == "value"
            items = f"dict({value})" if same else f"{{name: {read} for name, value in {value}.items()}}"
            return f"Mapping[str, {annotation}]", " = field(default_factory=dict, hash=False)", items
        if field.label == Field.LABEL_REPEATED:
            annotation, read = self.one(field, "value")
            items = f"tuple({value})" if read == "value" else f"tuple([{read} for value in {value}])"
            return f"tuple[{annotation}, ...]", " = ()", items
        annotation, read = self.one(field, value)
        is_message = field.type == Field.TYPE_MESSAGE
        is_needed = is_message and (comment.startswith("Required.") or (message.name, field.name) in ALWAYS_THERE)
        if is_needed:
            return annotation, "", read
        if is_message or field.HasField("oneof_index"):
            return f"{annotation} | None", " = None", f'{read} if message.HasField("{field.name}") else None'
        default = '"unspecified"' if field.type == Field.TYPE_ENUM else SCALARS[field.type][1]
        return annotation, f" = {default}", read

    def one(self, field: FieldDescriptorProto, value: str) -> tuple[str, str]:
        if field.type in SCALARS:
            return SCALARS[field.type][0], value
        if field.type == Field.TYPE_ENUM:
            name = record_name(field.type_name)
            self.need(f"{PACKAGE}.{self.modules[field.type_name]}", names_of(name))
            return "str", f"{names_of(name)}.get({value}) or str(int({value}))"
        if field.type_name in LISTS:
            inner = LISTS[field.type_name]
            of = next(entry for entry in self.messages[field.type_name].field if entry.name == inner)
            annotation, read = self.one(of, "value")
            return f"tuple[{annotation}, ...]", f"tuple([{read} for value in {value}.{inner}])"
        if field.type_name in SPECIAL:
            annotation, read = SPECIAL[field.type_name]
            self.need_special(annotation, read)
            return annotation, read.format(value)
        name = record_name(field.type_name)
        self.need(f"{PACKAGE}.{self.modules[field.type_name]}", name)
        return name, f"{name}.from_proto({value})"

    def need_special(self, annotation: str, read: str) -> None:
        reader = read.partition("(")[0]
        if reader.startswith("read_"):
            self.need("loci_client.values", reader)
        elif reader == "error_from_status":
            self.need("loci_client.status", reader)
        if annotation == "datetime.datetime":
            self.need("datetime")
        elif annotation == "LociError":
            self.need("loci_client.errors", annotation)
        elif annotation in ("Filter", "Scope"):
            self.need("loci_client.filters" if annotation == "Filter" else "loci_client.scope", annotation)
        elif annotation in ("Value", "BlockValue"):
            self.need("loci_client.values", annotation)

    def map_entry(self, message: DescriptorProto, field: FieldDescriptorProto) -> DescriptorProto | None:
        name = field.type_name.rpartition(".")[2]
        return next((entry for entry in message.nested_type if entry.name == name and entry.options.map_entry), None)


def import_of(module: str, names: Sequence[str]) -> list[str]:
    if not names:
        return [f"import {module}"]
    line = f"from {module} import {', '.join(names)}"
    if len(line) <= LINE_LENGTH:
        return [line]
    return [f"from {module} import (", *(f"    {name}," for name in names), ")"]


def same_as(name: str) -> Sequence[str]:
    """Answers of other calls with the same fields."""
    writes = ("RestoreBlockResponse", "UpdateProfileResponse", "PromoteMemoryResponse", "DemoteLineResponse")
    return writes if name == "UpdateBlockResponse" else ()


def attribute(name: str) -> str:
    """Python keeps some words, such as `from`, for itself."""
    return f"{name}_" if iskeyword(name) else name


def names_of(enum: str) -> str:
    return f"{snake(enum).upper()}_NAMES"


def enum_words(enum: EnumDescriptorProto) -> list[tuple[int, str]]:
    prefix = f"{snake(enum.name).upper()}_"
    return [(value.number, value.name.removeprefix(prefix).lower()) for value in enum.value]


def snake(name: str) -> str:
    return "".join(f"_{letter.lower()}" if letter.isupper() else letter for letter in name).lstrip("_")


def docstring(comment: str, indent: str) -> Iterator[str]:
    text = " ".join(comment.split())
    if text == "":
        return
    if len(text) + len(indent) + 6 <= LINE_LENGTH:
        yield f'{indent}"""{text}"""'
        return
    lines = wrap(text, LINE_LENGTH - len(indent) - 3)
    yield f'{indent}"""{lines[0]}'
    yield from (f"{indent}{line}" for line in lines[1:])
    yield f'{indent}"""'


def index_of(index: Mapping[str, Sequence[str]]) -> str:
    """The package's own file: every name, whose file is read when it is asked for first."""
    everything = sorted((name, module) for module, names in index.items() for name in names)
    lines = [
        '"""Generated from proto/loci/v1: what calls take and give."""',
        "",
        "from typing import TYPE_CHECKING, Any",
        "",
        "if TYPE_CHECKING:",
    ]
    for module, names in sorted(index.items()):
        lines += [f"    from {PACKAGE}.{module} import (", *(f"        {name} as {name}," for name in names), "    )"]
    lines += ["", "_MODULES = {", *(f'    "{name}": "{module}",' for name, module in everything), "}", ""]
    lines += ["__all__ = [", *(f'    "{name}",' for name, _ in everything), "]", "", ""]
    return "\n".join([*lines, LOAD_WHEN_ASKED])


if __name__ == "__main__":
    answer = generate(CodeGeneratorRequest.FromString(sys.stdin.buffer.read()))
    sys.stdout.buffer.write(answer.SerializeToString())
