/** Addresses of the providers that have a single fixed one. Tests replace them with their own servers. */
export interface SignInAddresses {
  readonly github: {
    readonly issuer: string
    readonly authorize: string
    readonly token: string
    readonly api: string
  }
  readonly linuxdo: {
    readonly issuer: string
    readonly authorize: string
    readonly token: string
    readonly profile: string
  }
  /** URL that verifies CAPTCHA tokens. */
  readonly turnstile: string
}

export const signInAddresses: SignInAddresses = {
  github: {
    issuer: 'https://github.com/login/oauth',
    authorize: 'https://github.com/login/oauth/authorize',
    token: 'https://github.com/login/oauth/access_token',
    api: 'https://api.github.com',
  },
  linuxdo: {
    issuer: 'https://connect.linux.do',
    authorize: 'https://connect.linux.do/oauth2/authorize',
    token: 'https://connect.linux.do/oauth2/token',
    profile: 'https://connect.linux.do/api/user',
  },
  turnstile: 'https://challenges.cloudflare.com/turnstile/v0/siteverify',
}
