// ODE's side of spheres.py: spheres_ode H STEPS HALF FILE ITERATIONS reads positions from FILE, steps them by QuickStep and writes
// positions, velocities and angular velocities there. Prints the processor time of all steps (s).
#include <cstdio>
#include <cstdlib>
#include <ctime>
#include <vector>

#include <ode/ode.h>

static dWorldID world;
static dJointGroupID contacts;

static double processor_time() {
    timespec now;
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &now);
    return now.tv_sec + 1e-9 * now.tv_nsec;
}

static void meet(void*, dGeomID a, dGeomID b) {
    dBodyID first = dGeomGetBody(a), second = dGeomGetBody(b);
    if (!first && !second) return;
    dContact contact;
    if (dCollide(a, b, 1, &contact.geom, sizeof contact) == 0) return;
    contact.surface.mode = 0;
    contact.surface.mu = 0.3;
    dJointAttach(dJointCreateContact(world, contacts, &contact), first, second);
}

int main(int, char** arguments) {
    double step = atof(arguments[1]), half = atof(arguments[3]);
    int steps = atoi(arguments[2]);
    dInitODE2(0);
    world = dWorldCreate();
    dWorldSetGravity(world, 0, 0, -9.81);
    dWorldSetQuickStepNumIterations(world, atoi(arguments[5]));
    contacts = dJointGroupCreate(0);
    dSpaceID space = dHashSpaceCreate(0);
    dHashSpaceSetLevels(space, -4, 1);
    dCreatePlane(space, 0, 0, 1, 0);
    dCreatePlane(space, 1, 0, 0, -half);
    dCreatePlane(space, -1, 0, 0, -half);
    dCreatePlane(space, 0, 1, 0, -half);
    dCreatePlane(space, 0, -1, 0, -half);
    std::vector<dBodyID> balls;
    FILE* file = fopen(arguments[4], "r");
    for (double x, y, z; fscanf(file, "%lf %lf %lf", &x, &y, &z) == 3;) {
        dBodyID ball = dBodyCreate(world);
        dMass mass;
        dMassSetSphereTotal(&mass, 1, 0.05);
        dBodySetMass(ball, &mass);
        dBodySetPosition(ball, x, y, z);
        dGeomSetBody(dCreateSphere(space, 0.05), ball);
        balls.push_back(ball);
    }
    fclose(file);
    double start = processor_time();
    for (int k = 0; k < steps; k++) {
        dSpaceCollide(space, 0, meet);
        dWorldQuickStep(world, step);
        dJointGroupEmpty(contacts);
    }
    double spent = processor_time() - start;
    file = fopen(arguments[4], "w");
    for (dBodyID ball : balls) {
        for (const dReal* x : {dBodyGetPosition(ball), dBodyGetLinearVel(ball), dBodyGetAngularVel(ball)})
            fprintf(file, "%.17g %.17g %.17g ", x[0], x[1], x[2]);
        fprintf(file, "\n");
    }
    fclose(file);
    printf("%.9g\n", spent);
}
