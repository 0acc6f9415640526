/**
 * Statements of a module that is replaced while its importers go on: see `ModuleRequest.live`. They
 * name the bundler's `hot` literally, since bundlers look for it in the text. Where the new version
 * has other entrypoints, the importers are loaded again.
 */

export function liveInVite(entrypoints: string): string {
  return `const $policy=import.meta.hot?.data.policy?.replace($first)??new $live($first);
if(import.meta.hot){
const {data}=import.meta.hot,entrypoints=${JSON.stringify(entrypoints)};
Object.assign(data,{policy:$policy,entrypoints});
import.meta.hot.accept(()=>{if(data.entrypoints!==entrypoints)import.meta.hot.invalidate();});
}
`;
}

/** The code for webpack and Rspack. */
export function liveInWebpack(entrypoints: string): string {
  return `const $policy=import.meta.webpackHot?.data?.policy.replace($first)??new $live($first);
if(import.meta.webpackHot){
const entrypoints=${JSON.stringify(entrypoints)},before=import.meta.webpackHot.data?.entrypoints;
import.meta.webpackHot.accept();
import.meta.webpackHot.dispose(data=>{Object.assign(data,{policy:$policy,entrypoints});});
if(before!==undefined&&before!==entrypoints)import.meta.webpackHot.invalidate();
}
`;
}
