"""The plugin's files as the client itself judges them."""
from project import ROOT


def test_the_client_accepts_the_plugin(box):
    box.shell(box.client, "plugin", "validate", ROOT)
