import type { Persona } from './persona.js';
import { bakeryOwner } from './personas/bakery-owner.js';
import { companionUser } from './personas/companion-user.js';
import { familyCook } from './personas/family-cook.js';
import { indieDeveloper } from './personas/indie-developer.js';
import { runner } from './personas/runner.js';
import { student } from './personas/student.js';
import { supportTeam } from './personas/support-team.js';
import { traveller } from './personas/traveller.js';

export const PERSONAS: readonly Persona[] = [
  indieDeveloper,
  familyCook,
  runner,
  supportTeam,
  student,
  traveller,
  bakeryOwner,
  companionUser,
];
