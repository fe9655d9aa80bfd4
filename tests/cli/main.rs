mod architecture;
mod config_command;
mod configuration_page;
mod demo;
mod readme;
mod wired_settings;
