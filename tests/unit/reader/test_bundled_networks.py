"""The bundled networks together."""

from pathlib import Path

from timelens.reader import bundled_networks as module
from timelens.reader.bundled_networks import bundled_networks
from timelens.reader.course_questions import CourseQuestions


def test_every_file_of_weights_is_there_once() -> None:
    files = [network._learned.file for network in bundled_networks()]
    assert sorted(files) == sorted(Path(module.__file__).parent.glob("*.safetensors"))


def test_those_over_the_reader_share_it() -> None:
    reader, *others = bundled_networks()
    reader.warm()
    assert reader.tensors is not None
    for network in others:
        network.warm()
        if isinstance(network, CourseQuestions):
            assert network.tensors is None, "it does not compute in torch"
            continue
        assert network.tensors is not None
        shared = reader.tensors.keys() & network.tensors.keys()
        assert any(network.tensors[name] is reader.tensors[name] for name in shared)
