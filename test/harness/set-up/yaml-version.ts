/** Commands set the version of YAML for their process, which test files share. */
import { useYaml } from '../../../values/yaml/yaml-scalars.js';

useYaml('1.2');
