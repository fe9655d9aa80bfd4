mod config_command;
mod wired_settings;
