mod architecture;
mod config_command;
mod configuration_page;
mod demo;
mod readme;
mod rules_command;
mod wired_settings;
