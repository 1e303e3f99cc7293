/** In the title of every window that shows the page, also before it is let in. A debugger's window has the address instead. */
export const ownWords = "Deskmap inspector";
