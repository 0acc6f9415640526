// The entry of a bundle: what Node loads here is the code that a bundler took from the package.
import * as writ from 'writ';
import * as compiler from 'writ/compiler';

export { compiler, writ };
