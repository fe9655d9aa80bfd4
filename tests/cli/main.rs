mod architecture;
mod config_command;
mod demo;
mod wired_settings;
