"""The plugin's files as the client itself judges them."""
import os

from project import ROOT, plugin


def test_the_client_accepts_the_marketplace(box):
    box.shell(box.client, "plugin", "validate", ROOT)


def test_the_client_accepts_the_plugin_with_its_hooks(box):
    directory = plugin(box, built=False)
    # Beside a marketplace's manifest the client looks at nothing else.
    os.remove(os.path.join(directory, ".claude-plugin/marketplace.json"))
    told = box.shell(box.client, "plugin", "validate", directory)
    assert "plugin.json" in told, told
