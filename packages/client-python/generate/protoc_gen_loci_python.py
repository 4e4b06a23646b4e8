"""A protoc plugin that writes the package `loci_client.v1`: messages, their types, stubs, and an index of them all.

protoc has its Python generators built in, so that buf can call none of them as a plugin. This runs them on the files it
was asked for. They import each other by the path of the .proto files (`loci.v1`), a name that is not ours to take in
somebody else's program, so their imports are moved into the package.
"""

import re
import sys
import tempfile
from collections.abc import Sequence
from pathlib import Path

from google.protobuf.compiler.plugin_pb2 import CodeGeneratorRequest, CodeGeneratorResponse
from google.protobuf.descriptor_pb2 import FileDescriptorProto, FileDescriptorSet
from grpc_tools import protoc

PROTO_PACKAGE = "loci.v1"
PYTHON_PACKAGE = "loci_client.v1"


def generate(request: CodeGeneratorRequest) -> CodeGeneratorResponse:
    asked = set(request.file_to_generate)
    files = [file for file in request.proto_file if file.name in asked]
    for file in files:
        if file.package != PROTO_PACKAGE:
            return CodeGeneratorResponse(error=f"{file.name} is of package {file.package}, not {PROTO_PACKAGE}")
    response = CodeGeneratorResponse(supported_features=CodeGeneratorResponse.FEATURE_PROTO3_OPTIONAL)
    for name, content in run_protoc(request, files).items():
        response.file.add(name=name, content=move_imports(content))
    response.file.add(name="__init__.py", content=index_of(files))
    return response


def run_protoc(request: CodeGeneratorRequest, files: Sequence[FileDescriptorProto]) -> dict[str, str]:
    """What the built-in generators write, by file name."""
    with tempfile.TemporaryDirectory(prefix="loci-python-") as folder:
        descriptors = Path(folder, "descriptors.binpb")
        descriptors.write_bytes(FileDescriptorSet(file=request.proto_file).SerializeToString())
        out = Path(folder, "out")
        out.mkdir()
        # Without a service there are no stubs: the file would be empty but for its imports.
        services = [file.name for file in files if file.service]
        for outputs, names in ((("python", "pyi"), [file.name for file in files]), (("grpc_python",), services)):
            command = ["protoc", f"--descriptor_set_in={descriptors}"]
            if protoc.main([*command, *(f"--{output}_out={out}" for output in outputs), *names]) != 0:
                raise SystemExit("protoc failed")
        return {path.name: path.read_text(encoding="utf-8") for path in sorted(out.rglob("*.py*"))}


def move_imports(source: str) -> str:
    package = re.escape(PROTO_PACKAGE)
    moved = re.sub(rf"^from {package} import ", f"from {PYTHON_PACKAGE} import ", source, flags=re.MULTILINE)
    # The module that the classes say they are from.
    return re.sub(rf"'{package}\.(\w+_pb2)'", rf"'{PYTHON_PACKAGE}.\1'", moved)


def index_of(files: Sequence[FileDescriptorProto]) -> str:
    """The package's own file: every name, whose file is read when it is asked for first."""
    modules: dict[str, list[str]] = {}
    for file in files:
        module = Path(file.name).stem + "_pb2"
        modules[module] = sorted(
            [message.name for message in file.message_type]
            + [name for enum in file.enum_type for name in (enum.name, *(value.name for value in enum.value))]
        )
        if file.service:
            modules[f"{module}_grpc"] = sorted(f"{service.name}Stub" for service in file.service)
    everything = sorted((name, module) for module, names in modules.items() for name in names)
    lines = [
        '"""Generated from proto/loci/v1: every message, enum value and stub of the contract."""',
        "",
        "from typing import TYPE_CHECKING, Any",
        "",
        "if TYPE_CHECKING:",
    ]
    for module, names in sorted(modules.items()):
        imported = [f"        {name} as {name}," for name in names]
        lines += [f"    from {PYTHON_PACKAGE}.{module} import (", *imported, "    )"]
    # Reading all of it takes a tenth of a second, and most programs need little of it.
    lines += ["", "_MODULES = {", *(f'    "{name}": "{module}",' for name, module in everything), "}", ""]
    lines += ["__all__ = [", *(f'    "{name}",' for name, _ in everything), "]", "", ""]
    return "\n".join([*lines, LOAD_WHEN_ASKED])


LOAD_WHEN_ASKED = '''def __getattr__(name: str) -> Any:
    module = _MODULES.get(name)
    if module is None:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    from importlib import import_module

    value = getattr(import_module(f"{__name__}.{module}"), name)
    globals()[name] = value
    return value
'''


if __name__ == "__main__":
    answer = generate(CodeGeneratorRequest.FromString(sys.stdin.buffer.read()))
    sys.stdout.buffer.write(answer.SerializeToString())
