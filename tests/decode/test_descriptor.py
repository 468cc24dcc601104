"""The descriptor set that is shipped says what xplane.proto says."""

from __future__ import annotations

import re
from pathlib import Path

from google.protobuf import descriptor_pb2

from tensorboard_perfplugin.decode import xplane

FOLDER = Path(xplane.__file__).parent
Declared = dict[str, list[tuple[str, str, int, bool, str]]]


def in_proto(text: str) -> Declared:
    """Message → its fields: name, type, number, repeated, oneof."""
    found: Declared = {}
    oneof = ""
    for line in re.sub(r"//.*", "", text).splitlines():
        if match := re.match(r"message (\w+) {", line):
            fields = found[match[1]] = []
        elif match := re.match(r"\s+oneof (\w+) {", line):
            oneof = match[1]
        elif re.match(r"\s+}", line):
            oneof = ""
        elif match := re.match(r"\s+(repeated )?(\w+) (\w+) = (\d+);", line):
            fields.append((match[3], match[2], int(match[4]), bool(match[1]), oneof))
    return found


def in_descriptor(file: descriptor_pb2.FileDescriptorProto) -> Declared:
    return {
        message.name: [
            (
                field.name,
                field.type_name.rpartition(".")[2] or field.Type.Name(field.type)[5:].lower(),
                field.number,
                field.label == field.LABEL_REPEATED,
                message.oneof_decl[field.oneof_index].name if field.HasField("oneof_index") else "",
            )
            for field in message.field
        ]
        for message in file.message_type
    }


def test_descriptor_is_that_of_the_proto() -> None:
    (file,) = descriptor_pb2.FileDescriptorSet.FromString((FOLDER / "xplane.desc").read_bytes()).file
    text = (FOLDER / "xplane.proto").read_text()
    declared = in_proto(text)
    assert len(declared) == 9
    assert in_descriptor(file) == declared
    assert (file.syntax, file.package) == ("proto3", re.findall(r"^package (.*);", text, re.MULTILINE)[0])
