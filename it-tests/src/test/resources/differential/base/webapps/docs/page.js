document.title = "Grüße";
