"""Who plays which seat, what runs beside it, and what may the page be shown of it? What a person asks for is understood in `meant`."""
