"""perfplugin: the Profile tab that opens real captures."""
