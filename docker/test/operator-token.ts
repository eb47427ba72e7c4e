import { SignJWT } from 'jose';
import { secretIn } from './files.ts';

/** A session as the service itself would have made it, by the signing secret in `directory`. Good for an hour. */
export function operatorToken(directory: string, publicUrl: string, email: string): Promise<string> {
  return new SignJWT({ jti: 'test', sub: email, email })
    .setProtectedHeader({ alg: 'HS256', typ: 'JWT' })
    .setIssuer(publicUrl)
    .setAudience(publicUrl)
    .setIssuedAt()
    .setExpirationTime('1h')
    .sign(Buffer.from(secretIn(directory, 'jwt_signing_secret'), 'base64'));
}
