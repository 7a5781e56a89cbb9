import manifest from '../package.json' with { type: 'json' }

/** Of this build; every package of the repository carries the same. */
export const version: string = manifest.version
