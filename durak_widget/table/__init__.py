"""The notebook widget that shows a card table, on which people and bots play Durak."""
