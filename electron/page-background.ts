/** The page's own background colours (`--bg` of its tokens), so that nothing flashes before it is drawn. */
export const pageBackground = { light: '#f4f6f8', dark: '#0f1318' } as const
