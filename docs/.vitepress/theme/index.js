/** The default theme with the fonts of the reader's system, and enough contrast everywhere. */
import theme from 'writ-docs-theme';
import './theme.css';

export default theme;
