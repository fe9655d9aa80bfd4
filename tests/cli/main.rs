mod architecture;
mod config_command;
mod configuration_page;
mod demo;
mod examples;
mod explain;
mod figures;
mod links;
mod manual;
mod output;
mod place;
#[path = "../support/programs.rs"]
mod programs;
mod replay;
mod rules_command;
mod rules_page;
mod score;
mod secrets_command;
