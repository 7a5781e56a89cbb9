import manifest from '../package.json' with { type: 'json' }

/** Version of this build; all packages of the repository have the same one. */
export const version: string = manifest.version
