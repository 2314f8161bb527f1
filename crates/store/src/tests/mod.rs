mod fixture;
mod journal;
mod outside;
